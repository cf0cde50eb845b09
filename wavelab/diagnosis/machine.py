"""The system, its limits, and the directories that wavelab writes to."""

from __future__ import annotations

import locale
import os
import platform
import shutil
import sys
import tempfile
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import Any

#: What pyproject.toml asks for, and what comes with it.
PACKAGES = (
    "numpy", "pyopencl", "PyQt5", "vispy", "pyqtgraph", "meshpy", "mako", "shapely", "pymbolic",
    "pytools", "av", "cmap", "tqdm", "platformdirs", "tomli-w", "h5py", "qtawesome",
)  # fmt: skip
COMPANIONS = ("PyQt5-Qt5", "pocl-binary-distribution", "PyOpenGL")
#: Variables that change what OpenCL, OpenGL and Qt do; none tells whose machine it is.
VARIABLES = (
    "OCL_ICD_VENDORS", "OCL_ICD_FILENAMES", "POCL_DEVICES", "POCL_CACHE_DIR", "PYOPENCL_CTX",
    "PYOPENCL_NO_CACHE", "LIBGL_ALWAYS_SOFTWARE", "QT_QPA_PLATFORM", "QT_SCALE_FACTOR",
    "QT_AUTO_SCREEN_SCALE_FACTOR", "QT_SCREEN_SCALE_FACTORS", "QT_FONT_DPI", "XDG_SESSION_TYPE",
    "LC_ALL", "LC_NUMERIC", "LANG",
)  # fmt: skip
_ICD_FILES = Path("/etc/OpenCL/vendors")


def system() -> dict[str, Any]:
    """Python, the operating system, and what is set that matters."""
    return {
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "executable": sys.executable,
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "distribution": _distribution(),
        "libc": " ".join(platform.libc_ver()).strip(),
        "encoding": f"{sys.getfilesystemencoding()}, {locale.getpreferredencoding(False)}",
        "variables": {name: os.environ[name] for name in VARIABLES if name in os.environ},
        "icd_files": _icd_files(),
    }


def packages() -> dict[str, str | None]:
    """Versions; None for what is missing."""
    found: dict[str, str | None] = {}
    for name in (*PACKAGES, *COMPANIONS):
        try:
            found[name] = metadata.version(name)
        except Exception:  # damaged metadata raises this and that
            found[name] = None
    return {name: version for name, version in found.items() if version or name in PACKAGES}


def limits() -> dict[str, Any]:
    """Cores, bytes of memory, and what the system lets a process have; None where unknown."""
    cores = os.cpu_count()
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    return {
        "cores": cores,
        "memory": _memory("SC_PHYS_PAGES"),
        "memory_free": _memory("SC_AVPHYS_PAGES"),
        "memory_limit": _group_limit(),
        **{name: _resource(name) for name in ("NOFILE", "AS", "NPROC")},
    }


def folders(places: dict[str, Path]) -> dict[str, dict[str, Any]]:
    """Of each directory: where it is, whether a file can be made in it, and bytes that are free."""
    return {name: _folder(path) for name, path in places.items()}


def _folder(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = {"path": str(path), "problem": "", "free": None}
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path) as file:
            file.write(bytes(4096))
    except OSError as error:
        found["problem"] = error.strerror or str(error)
    with suppress(OSError):
        found["free"] = shutil.disk_usage(path).free
    return found


def _distribution() -> str:
    with suppress(OSError, AttributeError):
        return platform.freedesktop_os_release().get("PRETTY_NAME", "")
    return ""


def _icd_files() -> list[str]:
    with suppress(OSError):
        return sorted(path.name for path in _ICD_FILES.iterdir())
    return []


def memory_limit() -> int | None:
    """Bytes that this machine has, or the container gives; None where neither is known."""
    known = [n for n in (_memory("SC_PHYS_PAGES"), _group_limit()) if n is not None]
    return min(known, default=None)


def _memory(pages: str) -> int | None:
    if sys.platform != "win32":
        with suppress(OSError, ValueError):
            return os.sysconf(pages) * os.sysconf("SC_PAGE_SIZE")
    return None


def _group_limit() -> int | None:
    """What a container may take."""
    for name in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        with suppress(OSError, ValueError):
            limit = int(Path(name).read_text())
            return limit if limit < 1 << 60 else None
    return None


def _resource(name: str) -> int | None:
    """The limit that holds; None for none."""
    if sys.platform != "win32":
        import resource

        with suppress(AttributeError, OSError):
            limit, _ = resource.getrlimit(getattr(resource, f"RLIMIT_{name}"))
            return None if limit == resource.RLIM_INFINITY else limit
    return None
