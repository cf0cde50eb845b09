"""Opening a device before anything can run on it."""

from __future__ import annotations

import threading
from contextlib import suppress

from wavelab.simulation.steppers.dealing_out import names_several


def open_beside(backend: str, device: str | None, precision: str) -> None:
    """Have a thread open the device that a run is going to take, and load what it runs there.

    A driver takes some tenths of a second for that, in which a mesh can be made by another process.
    What is wrong with a device shows when it is taken.

    Parameters
    ----------
    backend, device, precision : as for :func:`wavelab.simulation.steppers.steppers.make_stepper`.
    """
    if backend == "numpy" or names_several(device):
        return
    threading.Thread(
        target=_open, args=(device, precision), name="open the device", daemon=True
    ).start()


def _open(device: str | None, precision: str) -> None:
    with suppress(Exception):  # drivers fail in every way there is
        from wavelab.opencl import stepper  # noqa: F401  # with all kernels
        from wavelab.opencl.device.contexts import context_of
        from wavelab.opencl.device.device import usable_device

        context_of(usable_device(device, precision))
