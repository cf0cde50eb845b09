"""The kernel designs that can be measured, and a stepper of each."""

from __future__ import annotations

from typing import Any

from wavelab.errors import WavelabError
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.physics.maxwell_tm import MaxwellTM

DESIGNS = ("interleaved",)
#: What the program runs unless told otherwise.
DEFAULT_DESIGN = "interleaved"


def check_designs(names: tuple[str, ...]) -> None:
    """Refuse names that no design has.

    Raises
    ------
    WavelabError : names the first wrong one.
    """
    for name in names:
        if name not in DESIGNS:
            raise WavelabError(
                f'there is no design "{name}"', remedy=f"Use all, or some of {', '.join(DESIGNS)}."
            )


def make_stepper(
    operator: MaxwellTM, *, dt: float, precision: str, device: Any, design: str
) -> OpenCLStepper:
    """A stepper of a design on a device that :func:`wavelab.opencl.device.choose_device` gave."""
    return OpenCLStepper(operator, dt=dt, precision=precision, device=device)
