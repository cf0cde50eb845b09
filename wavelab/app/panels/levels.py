"""Strengths in decibels, in the systems whose people count so."""

from __future__ import annotations

import numpy as np

from wavelab.app.language.language import spoken_of
from wavelab.app.session.view_state import ViewState
from wavelab.arrays import Array
from wavelab.scene.view.quantities import decibels_of

#: Below the strongest; what is fainter is not told apart.
FAINTEST = -80.0


def counted_in_decibels() -> bool:
    """Whether the system in use has levels."""
    return spoken_of().levels


def decibels(state: ViewState) -> int:
    """In a power of ten of what is shown; 0 where nobody counts so."""
    return decibels_of(state.quantity, spoken_of())


def levels(amplitudes: Array, largest: float) -> Array:
    """In dB below ``largest``, greater than 0."""
    return 20 * np.log10(np.maximum(amplitudes / largest, 10 ** (FAINTEST / 20)))
