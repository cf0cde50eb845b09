"""The delays of a phased array, in media in which speeds depend on the frequency."""

from __future__ import annotations

import numpy as np
import pytest

from wavelab.errors import SceneError
from wavelab.meshing.job import mesh_scene
from wavelab.physics.problem import discretize_scene
from wavelab.scene.model.pole import Pole
from wavelab.scene.model.scene import Material, MaterialRegion, Scene, Solver
from wavelab.scene.model.sending.waveform import Waveform
from wavelab.scene.model.shapes import Rectangle
from wavelab.scene.poles import Debye, Lorentz
from wavelab.scene.sources import ArraySource
from wavelab.scene.waveforms import GaussianPulse, Sine

FREQUENCY, OMEGA = 1.5, 2 * np.pi * 1.5
BELOW = Lorentz(frequency=4.0, strength=0.6)
SLOW = Debye(strength=0.8, relaxation=0.2)


def delays(material: Material, waveform: Waveform | None = None, **changes) -> np.ndarray:
    """Of three elements, 0.2 apart, that send along their row."""
    array = ArraySource(
        "row", (0.3, 0.5), (0.7, 0.5), 3, 0.05, 1.0, waveform or Sine(FREQUENCY), direction=0.0
    )
    scene = Scene(
        "box", Solver(0.3, order=3, until=1.0), outline=Rectangle((0.0, 0.0), (1.0, 1.0)),
        background=material, sources=(array,), **changes,
    )  # fmt: skip
    terms = discretize_scene(scene, mesh_scene(scene)).source_terms
    return np.array([term.waveform.origin for term in terms])


def lorentz(pole: Pole) -> complex:
    of_pole = (2 * np.pi * pole.frequency) ** 2
    return pole.strength * of_pole / (of_pole - OMEGA**2)


@pytest.mark.parametrize(
    ("material", "square"),
    [
        (Material(epsilon=2.25), 2.25),
        (Material(epsilon=1.5, poles=(BELOW,)), 1.5 + lorentz(BELOW)),
        (Material(epsilon=2.0, mu=1.3, magnetic_poles=(BELOW,)), 2 * (1.3 + lorentz(BELOW))),
        (Material(epsilon=2.0, poles=(SLOW,)), 2 + 0.8 / (1 + 0.2j * OMEGA)),
        (Material(epsilon=2.0, sigma=9.0), 2 - 9j / OMEGA),
        (Material(epsilon=2.0, mu=1.3, magnetic_sigma=9.0), 2 * (1.3 - 9j / OMEGA)),
    ],
    ids=["plain", "poles", "magnetic poles", "Debye", "sigma", "magnetic sigma"],
)
def test_elements_send_when_the_phase_of_their_frequency_passes(material, square):
    expected = 0.2 * np.arange(3) * np.sqrt(complex(square)).real
    assert delays(material) == pytest.approx(expected, rel=1e-9)


def test_without_a_frequency_it_is_the_front_that_is_in_step():
    pulse = GaussianPulse(0.1, 0.0)
    expected = 0.2 * np.arange(3) * np.sqrt(1.5)
    assert delays(Material(epsilon=1.5, poles=(BELOW,)), pulse) == pytest.approx(expected)


def test_media_that_differ_at_the_frequency_alone_are_refused():
    right = MaterialRegion(
        "right", Material(epsilon=1.5, poles=(BELOW,)), Rectangle((0.6, 0.0), (1.0, 1.0))
    )
    with pytest.raises(SceneError, match="media of different speed"):
        delays(Material(epsilon=1.5), materials=(right,))
