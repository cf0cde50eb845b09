"""Messages speak of what a scene is of: of shores in water, of damping in sound."""

from __future__ import annotations

import pytest

from tests.sample_scenes import boxed
from tests.sample_systems import LOSSES, SAMPLES, SCALAR
from wavelab.errors import SceneError
from wavelab.meshing.job import mesh_scene
from wavelab.physics.problem import discretize_scene
from wavelab.scene.model.scene import Scene
from wavelab.scene.systems import SYSTEMS
from wavelab.scene.toml.toml_io import parse_scene

#: Words of light TM, that no message about other waves may have.
FOREIGN = ("conductor", "magnetic wall", "sigma", "epsilon")


def scene_of(physics: str, rest: str) -> Scene:
    text = f"{rest}\n[solver]\nelement_size = 0.4\norder = 2\n"
    return parse_scene(f'physics = "{physics}"\n' + boxed("Words", text))


@pytest.mark.parametrize(("physics", "loss"), LOSSES)
def test_an_absorbing_wall_before_losses_tells_of_them_in_their_words(physics, loss):
    medium, told = f"{loss} = 0.3", SAMPLES[physics].losses[loss]
    scene = scene_of(
        physics, f'[background]\n{medium}\n[[walls]]\nedges = ["domain.top"]\nkind = "absorbing"'
    )
    (notice,) = discretize_scene(scene, mesh_scene(scene)).notices
    assert f"about {told} of a wave" in notice


@pytest.mark.parametrize("sides", ["conductor", "magnetic"])
@pytest.mark.parametrize("physics", SCALAR)
def test_a_mode_that_has_no_guide_is_told_of_walls_that_there_are(physics, sides):
    """One whose walls are of another kind than it says, or are not parallel."""
    system = SYSTEMS[physics]
    source = f"""
[[walls]]
edges = ["domain.left"]
kind = "absorbing"
[[walls]]
edges = ["domain.top"]
kind = "absorbing"
[[sources]]
name = "in"
kind = "guided_mode"
edge = "domain.left"
amplitude = 1
mode = 1
sides = "{sides}"
waveform = {{ kind = "sine", frequency = 3 }}
"""
    scene = scene_of(physics, source)
    with pytest.raises(SceneError, match="two parallel") as caught:
        discretize_scene(scene, mesh_scene(scene))
    known = [kind.plural for kind in system.walls.values() if kind.sides == sides]
    assert (known[0] if known else "walls of that kind") in caught.value.message
    if not physics.startswith(("light", "te")):
        assert not any(word in caught.value.message for word in FOREIGN)


def test_every_kind_of_wall_that_modes_run_along_has_a_word_for_several():
    for system in SYSTEMS.values():
        beside = [kind for kind in system.walls.values() if kind.sides]
        assert all(kind.plural for kind in beside)
        assert all(kind.plural in system.beside() for kind in beside)
