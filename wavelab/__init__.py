"""wavelab: watch electromagnetic waves run, live, in any shape you draw."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("wavelab")
except PackageNotFoundError:  # run from a source tree that was never installed
    __version__ = "0+unknown"
