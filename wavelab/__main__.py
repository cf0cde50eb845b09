"""``wavelab`` and ``python -m wavelab``."""

import os
import sys

# Before NumPy is loaded.  Products here are many and small, and the other cores are the device's:
# threads of BLAS wait for them more than they compute (docs/performance.md has the times).
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def start() -> int:
    """Run the command line and end the program; returns the exit status if that is all it takes."""
    if getattr(sys, "frozen", False):
        from wavelab.child import run_as_child

        if run_as_child(sys.argv[1:]):
            return 0
    status = run()
    try:
        from wavelab.ctrl_c import leave
    except KeyboardInterrupt:
        return status
    return leave(status)


def run() -> int:
    """Run the command line; returns the exit status."""
    try:
        # Here, because Ctrl-C may come as early as this.
        from wavelab.cli import main, meshes, open_closed_streams

        open_closed_streams()  # before anything else is opened, which would take their place
        if meshes(sys.argv[1:]):
            from wavelab.child import start_ahead

            start_ahead("wavelab.meshing.worker")
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except ImportError:
        if sys.argv[1:2] != ["doctor"]:
            raise
        return _diagnosed()
    return main()


def _diagnosed() -> int:
    """``wavelab doctor`` where a package is missing that the other commands need."""
    from wavelab.diagnosis.page import as_json, page
    from wavelab.diagnosis.report import report

    print(as_json(report()) if "--json" in sys.argv[2:] else page(report()))
    return 0


if __name__ == "__main__":  # children that mesh import this module too
    sys.exit(start())
