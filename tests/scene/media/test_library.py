"""Media of the library against numbers that are told of them elsewhere."""

import numpy as np
import pytest

from wavelab.errors import SceneError
from wavelab.scene.media.library import entries, light_medium, named_entry, relative_medium
from wavelab.scene.media.permittivity import permittivity
from wavelab.scene.model.scene import Scene, Solver
from wavelab.scene.rules.validate import check_scene
from wavelab.scene.systems import SYSTEMS
from wavelab.scene.toml.toml_io import dump_scene, parse_scene


def index(name: str, micrometres: float, unit: float = 1.0) -> complex:
    """n - i k at a vacuum wavelength."""
    medium = light_medium("light", named_entry("light", name), unit)
    frequency = np.array([unit / micrometres])
    return complex(np.sqrt(permittivity(medium.epsilon, medium.poles, frequency))[0])


@pytest.mark.parametrize(
    ("name", "micrometres", "n"),
    [
        ("Fused silica", 0.5876, 1.45846),  # refractive indices of data sheets at the line d
        ("Glass BK7", 0.5876, 1.5168),
        ("Silicon", 1.55, 3.4777),
        ("Silicon nitride", 1.55, 1.9963),
        ("Diamond", 0.589, 2.417),
    ],
)
@pytest.mark.parametrize("unit", [1.0, 0.25, 1000.0])
def test_transparent_media_have_their_index(name, micrometres, n, unit):
    assert index(name, micrometres, unit) == pytest.approx(n, abs=2e-4)


@pytest.mark.parametrize(
    ("name", "micrometres", "n", "k"),
    [("Gold", 0.6, 0.3619, 2.8494), ("Silver", 0.6, 0.1394, 3.5604)],
)
def test_metals_reflect(name, micrometres, n, k):
    found = index(name, micrometres)
    assert (found.real, -found.imag) == pytest.approx((n, k), abs=1e-3)
    assert abs((found - 1) / (found + 1)) ** 2 > 0.85


def test_sound_is_relative_to_what_is_1():
    air, water = (named_entry("sound", name) for name in ("air", "water"))
    assert relative_medium("sound", air, air).density == 1
    found = relative_medium("sound", water, air)
    assert found.speed == pytest.approx(1482 / 343.2, rel=1e-5)
    assert found.density == pytest.approx(998.2 / 1.204, rel=1e-5)
    # The square of the speed of a shear wave is the shear modulus over the density.
    steel, granite = (named_entry("membrane", name) for name in ("Steel", "Granite"))
    skin = relative_medium("membrane", granite, steel)
    assert (skin.tension / skin.density) ** 0.5 == pytest.approx(3300 / 3235, rel=1e-5)


@pytest.mark.parametrize("physics", [p for p in SYSTEMS if entries(p)])
def test_all_can_be_in_a_scene_and_in_its_file(physics):
    assert len(entries(physics)) >= 6
    first = next(iter(entries(physics).values()))
    system = SYSTEMS[physics]
    for entry in entries(physics).values():
        assert len(entry.source) > 10
        medium = (
            light_medium(physics, entry, 0.7)
            if physics in ("light", "te")
            else relative_medium(physics, entry, first)
        )
        scene = Scene("it", Solver(), background=medium, initial=system.fields(), physics=physics)
        assert parse_scene(dump_scene(check_scene(scene))).background == medium


def test_a_name_that_is_not_there_has_its_neighbours():
    with pytest.raises(SceneError) as caught:
        named_entry("light", "silicium")
    assert 'Did you mean "Silicon"' in caught.value.remedy
    with pytest.raises(SceneError, match="anything"):
        named_entry("water", "anything")
