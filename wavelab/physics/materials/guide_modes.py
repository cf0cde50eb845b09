"""The modes of a guide that somebody asks for, and whether the line across it lets them be."""

from __future__ import annotations

import numpy as np

from wavelab.numerics.spectra.slab_modes import SlabModes
from wavelab.physics.materials.cross_sections import Across, Refuse

#: What is left of a mode at an end of its line is worth a word above this part of its largest
#: field, and no mode of the guide above that.
_TAIL, _NO_TAIL = 1e-3, 0.1


def modes_of(across: Across, frequency: float, mode: int, refuse: Refuse) -> SlabModes:
    """The modes that a guide holds together, ``mode`` among them.

    Raises
    ------
    SceneError : it is not; says how many there are.
    """
    try:
        modes = across.modes(frequency)
    except ValueError:
        raise refuse(
            "has a line of more than 100 wavelengths", "Let it be as long as the mode is wide."
        ) from None
    if mode >= len(modes):
        there = {0: "no mode", 1: "mode 0 alone"}.get(len(modes), f"modes 0 to {len(modes) - 1}")
        raise refuse(
            f"asks for mode {mode} at the frequency {frequency:g}, where its line crosses a guide "
            f"with {there}",
            "A mode is held together by a medium in the middle in which waves are slower, or by "
            "walls: let the line go across the guide, raise the frequency, or choose a lower mode.",
        )
    return modes


def cut_off(across: Across, modes: SlabModes, frequency: float, refuse: Refuse) -> str:
    """What is to be said of a line that cuts off too much of its modes, "" of one that does not.

    Raises
    ------
    SceneError : so much of one is cut off that it is none of the guide.
    """
    tails = across.tails(modes, frequency)
    if not tails.size or (worst := float(tails.max())) <= _TAIL:
        return ""
    _, end = np.unravel_index(np.argmax(tails), tails.shape)
    x, y = across.start + across.section.borders[[0, -1]][end] * across.along
    said = f"ends at ({x:.4g}, {y:.4g}), where its mode has {worst:.2g} of its largest field left"
    if worst > _NO_TAIL:
        raise refuse(said, "Let its line reach further out of the guide.")
    return f"{said}; let its line reach further out of the guide"
