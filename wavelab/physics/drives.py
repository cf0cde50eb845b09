"""Sources as the steppers see them: what they add to dEz/dt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavelab.scene.formula import Formula


@dataclass(frozen=True)
class NodalDrive:
    """dEz/dt += rate f(t) at some nodes.

    Attributes
    ----------
    nodes : (n,) distinct flat node indices k * nodes_per_element + n.
    rate : (n,) -Jz / epsilon per unit of the waveform.
    waveform : f(t).
    """

    nodes: NDArray[np.int64]
    rate: NDArray[np.float64]
    waveform: Callable[[float], float]


@dataclass(frozen=True)
class FormulaDrive:
    """dEz/dt += -jz(x, y, t) / epsilon at every node.

    The NumPy stepper evaluates the formula; the OpenCL stepper translates it into its kernel.
    """

    jz: Formula


Drive = NodalDrive | FormulaDrive
