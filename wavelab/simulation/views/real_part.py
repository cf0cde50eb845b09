"""Views of complex fields: of their real part."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavelab.physics.stepper import ComingView


@dataclass(frozen=True)
class RealPart:
    """A view without the copies of elements that have the imaginary part, once it is here.

    Attributes
    ----------
    copies : of every element, the first with the real part.
    """

    of: ComingView
    copies: int

    @property
    def here(self) -> bool:
        return self.of.here

    def values(self) -> NDArray[np.float32] | None:
        values = self.of.values()
        return None if values is None else values[:: self.copies]
