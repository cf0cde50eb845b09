"""The device stepper, and the only place that imports pyopencl and mako.

Importing anything from here raises :class:`~wavelab.errors.DeviceError` where OpenCL is not
installed, so callers fall back to NumPy on the same error as for a missing device.
"""

from wavelab.ctrl_c import held_back
from wavelab.errors import DeviceError
from wavelab.opencl.device.caches import ensure_caches

ensure_caches()
try:
    with held_back():
        import pyopencl as _pyopencl  # noqa: F401
except (ImportError, OSError) as error:
    raise DeviceError(
        f"OpenCL cannot be loaded ({error})", remedy='Install it with: pip install "pyopencl[pocl]"'
    ) from error
