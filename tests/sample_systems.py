"""One medium and one wave of every system of scalar waves, as its textbook has them.

Tests of all systems begin with these, so a new system is measured as soon as it is here; where it
is missing, ``tests/scene/systems/test_system.py`` says so.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from wavelab.scene.model.scene import Wall
from wavelab.scene.systems import SYSTEMS, System

#: Those that are read into the equations of a scalar and a vector.
SCALAR = [key for key, system in SYSTEMS.items() if system.equations == "maxwell"]


@dataclass(frozen=True)
class Sample:
    """Attributes
    ----------
    medium : a medium without losses, as in a scene file.
    speed, impedance : of waves in it; the impedance is p over the component of v along the way.
    wave : the fields of one that runs in a direction, scalar, x and y: "f" is its scalar, "g" is
        f / impedance, and "cos" and "sin" are those of the direction.
    losses : by a number of its media that loses, what messages say of the part that comes back of
        a wave from a wall that is matched without it.
    """

    medium: str
    speed: float
    impedance: float
    wave: Mapping[str, str]
    losses: Mapping[str, str]


SAMPLES = {
    # H = n x E / Z
    "light": Sample(
        "epsilon = 2.25\nmu = 1.6",
        1 / math.sqrt(3.6),
        math.sqrt(1.6 / 2.25),
        {"ez": "f", "hx": "sin*g", "hy": "-cos*g"},
        {
            "sigma": "sigma / (8 pi f epsilon)",
            "magnetic_sigma": "magnetic_sigma / (8 pi f mu)",
        },
    ),
    # E = Z' H x n, of Z' = 1 / Z
    "te": Sample(
        "epsilon = 2.25\nmu = 1.6",
        1 / math.sqrt(3.6),
        math.sqrt(2.25 / 1.6),
        {"hz": "f", "ex": "-sin*g", "ey": "cos*g"},
        {"sigma": "sigma / (8 pi f epsilon)"},
    ),
    # J = n V / Z
    "planes": Sample(
        "capacitance = 2\ninductance = 0.6",
        1 / math.sqrt(1.2),
        math.sqrt(0.3),
        {"voltage": "f", "jx": "cos*g", "jy": "sin*g"},
        {
            "conductance": "conductance / (8 pi f capacitance)",
            "resistance": "resistance / (8 pi f inductance)",
        },
    ),
    # v = n p / Z
    "sound": Sample(
        "density = 1.3\nspeed = 1.5",
        1.5,
        1.95,
        {"pressure": "f", "vx": "cos*g", "vy": "sin*g"},
        {"damping": "damping / (8 pi f)"},
    ),
    # q = n eta / Z
    "water": Sample(
        "depth = 0.49",
        0.7,
        1 / 0.7,
        {"elevation": "f", "qx": "cos*g", "qy": "sin*g"},
        {"friction": "friction / (8 pi f)"},
    ),
    # s = -n v / Z
    "membrane": Sample(
        "density = 2\ntension = 0.72",
        0.6,
        1 / 1.2,
        {"velocity": "f", "sx": "-cos*g", "sy": "-sin*g"},
        {"damping": "damping / (8 pi f)"},
    ),
}

#: Pairs of a system and a number of its media that loses.
LOSSES = [(key, loss) for key, sample in SAMPLES.items() for loss in sample.losses]


def wall_of_impedance(system: System) -> tuple[str, str] | None:
    """The kind of wall of a system whose number is an impedance or one over it, and that number;
    None where there is none."""
    for name, kind in system.walls.items():
        if kind.surface is not Wall.surface:
            return name, kind.numbers()[0].name
    return None
