"""Checks what wavelab needs from the system, and installs it where that is possible.

PyQt5's wheel carries Qt, but Qt's X11 plugin and OpenGL come from the system, and so do fonts.  The
dynamic linker itself is asked what is missing.  PoCL's wheel carries a compiler, but links kernels
with the ld and the libraries of the system's gcc, and aborts the program without them.

With apt-get and enough rights (root, or sudo without a password) the missing packages are
installed; otherwise they are named, and the exit status is 1 if the window cannot open without
them.

Usage: python system_libraries.py [--xvfb] [--check]

--xvfb also asks for the virtual X server of the tests; --check never installs anything.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

#: Debian's package for each library; a package that pulls in another one stands for both.
PACKAGES = {
    "libdbus-1.so.3": "libdbus-1-3",
    "libEGL.so.1": "libegl1",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libGL.so.1": "libgl1",
    "libasound.so.2": "libasound2",
    "libpulse-mainloop-glib.so.0": "libpulse-mainloop-glib0",
    "libpulse.so.0": "libpulse0",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libX11.so.6": "libx11-6",
    "libxcb-glx.so.0": "libxcb-glx0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xinerama.so.0": "libxcb-xinerama0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxcb.so.1": "libxcb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libz.so.1": "zlib1g",
}
#: Debian's package for each program of the tests.
XVFB_PROGRAMS = {"Xvfb": "xvfb"}
#: What Qt and vispy load, relative to the PyQt5 package.
LOADED = (
    "QtCore*.so",
    "QtGui*.so",
    "QtWidgets*.so",
    "QtOpenGL*.so",
    "Qt5/plugins/platforms/libqxcb.so",
    "Qt5/plugins/xcbglintegrations/*.so",
)
#: What it plays sound with.
SOUND = ("QtMultimedia.*.so", "Qt5/plugins/audio/*.so")
FONT_DIRECTORIES = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "~/.fonts",
    "~/.local/share/fonts",
)


class Lack(NamedTuple):
    """Something missing.

    ``package`` is what Debian has it in, "" if not known; ``consequence`` is what happens without
    it, "" if nothing works.
    """

    name: str
    package: str
    consequence: str = ""

    def __str__(self) -> str:
        package = f" (Debian, Ubuntu: {self.package})" if self.package else ""
        return f"{self.name}{package}" + (f": {self.consequence}" if self.consequence else "")


def packages_for(lacking: list[Lack]) -> list[str]:
    """The Debian packages that bring what is missing."""
    return sorted({name for lack in lacking for name in lack.package.split()})


def missing_libraries(package: Path, loaded: Sequence[str] = LOADED) -> list[str]:
    """Names of the shared libraries that something in ``loaded`` needs and the linker lacks."""
    if shutil.which("ldd") is None:
        return []  # cannot tell
    files = [str(file) for pattern in loaded for file in sorted(package.glob(pattern))]
    listing = subprocess.run(["ldd", *files], capture_output=True, text=True, check=False).stdout
    return sorted(set(re.findall(r"(\S+) => not found", listing)))


def has_gl_driver() -> bool:
    """Whether libGL finds a driver: one library libGLX_<vendor>.so.0 at least."""
    ldconfig = shutil.which("ldconfig", path=f"{os.environ.get('PATH', '')}:/sbin:/usr/sbin")
    if ldconfig is None:
        return True  # cannot tell
    listing = subprocess.run([ldconfig, "-p"], capture_output=True, text=True, check=False).stdout
    return re.search(r"\blibGLX_\w+\.so\.0|\blibGL\.so\.1\.", listing) is not None


def has_fonts() -> bool:
    directories = [Path(name).expanduser() for name in FONT_DIRECTORIES]
    return any(
        file.suffix.lower() in (".ttf", ".otf", ".ttc", ".pfb")
        for directory in directories
        for file in directory.rglob("*")
    )


def can_link() -> bool:
    """Whether a shared library can be linked as PoCL does it."""
    with tempfile.TemporaryDirectory() as directory:
        output = str(Path(directory) / "empty.so")
        return _succeeds(["gcc", "-shared", "-x", "c", "/dev/null", "-o", output])


def missing(xvfb: bool) -> list[Lack]:
    """Everything that this system lacks."""
    spec = importlib.util.find_spec("PyQt5")
    if spec is None or not spec.submodule_search_locations:
        sys.exit("PyQt5 is not installed for this Python; run make run or make test.")
    package = Path(spec.submodule_search_locations[0])
    lacking = [Lack(name, PACKAGES.get(name, "")) for name in missing_libraries(package)]
    for name in missing_libraries(package, SOUND):
        lacking.append(Lack(name, PACKAGES.get(name, ""), "a probe cannot be heard"))
    if not has_gl_driver():
        lacking.append(
            Lack("a driver for OpenGL", "libgl1-mesa-dri libglx-mesa0", "the picture will be slow")
        )
    if not has_fonts():
        lacking.append(Lack("fonts", "fonts-dejavu-core", "text will not be readable"))
    if not can_link():
        lacking.append(
            Lack("gcc and ld", "gcc libc6-dev", "PoCL cannot compute, and NumPy does it slowly")
        )
    for program, package_name in XVFB_PROGRAMS.items() if xvfb else ():
        if shutil.which(program) is None:
            lacking.append(Lack(program, package_name))
    return lacking


def install(packages: list[str]) -> bool:
    """Install Debian packages; False if that is impossible here or fails."""
    if not packages:
        return False
    become = [] if os.geteuid() == 0 else ["sudo", "-n"]
    apt = [*become, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]
    wait = ["-o", "DPkg::Lock::Timeout=300"]
    if shutil.which("apt-get") is None or (become and not _succeeds([*become, "true"])):
        return False
    print(f"Installing {' '.join(packages)} ...", flush=True)
    return _succeeds([*apt, *wait, "update"], show=True) and _succeeds(
        [*apt, *wait, "install", "-y", "--no-install-recommends", *packages], show=True
    )


def _succeeds(command: list[str], show: bool = False) -> bool:
    output = None if show else subprocess.DEVNULL
    try:
        return subprocess.run(command, stdout=output, stderr=output, check=False).returncode == 0
    except OSError:  # there is no such program
        return False


def main() -> int:
    parser = argparse.ArgumentParser(description="Check what wavelab needs from the system.")
    parser.add_argument("--xvfb", action="store_true", help="ask for the X server of the tests too")
    parser.add_argument("--check", action="store_true", help="never install anything")
    options = parser.parse_args()
    if not sys.platform.startswith("linux"):
        return 0
    lacking = missing(options.xvfb)
    if lacking and not options.check and install(packages_for(lacking)):
        lacking = missing(options.xvfb)
    if not lacking:
        return 0
    print("wavelab needs things that this system lacks:", file=sys.stderr)
    for lack in lacking:
        print(f"  {lack}", file=sys.stderr)
    if packages := packages_for(lacking):
        print(f"Install them:\n  sudo apt-get install {' '.join(packages)}", file=sys.stderr)
        print("or what your system calls them.", file=sys.stderr)
    return 1 if any(not lack.consequence for lack in lacking) else 0


if __name__ == "__main__":
    sys.exit(main())
