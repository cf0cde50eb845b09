"""What ``wavelab bench --live`` changes."""

import pytest

from wavelab.benchmark.changes import CHANGES
from wavelab.benchmark.live import measure_live
from wavelab.cli.shared.arguments import scene_named
from wavelab.physics.revision import can_be_revised
from wavelab.scene.model.scene import LOCAL_STEPPING
from wavelab.scene.shelf import shipped_scenes
from wavelab.scene.toml.toml_io import dump_scene, parse_scene


def test_every_change_can_be_made_of_every_shipped_scene_that_has_such_a_thing():
    scenes = [scene_named(name) for name in shipped_scenes()]
    for kind, change in CHANGES.items():
        changed = [(scene, change(scene, 1)) for scene in scenes]
        made = [other for scene, other in changed if other is not None and other != scene]
        assert made, kind
        # With local steps another wall is another order of the elements.
        steady = [(s, o) for s, o in changed if s.solver.stepper != LOCAL_STEPPING]
        assert all(can_be_revised(s, o) for s, o in steady if o is not None), kind
        for other in made:  # a scene that a file can have
            assert parse_scene(dump_scene(other), path=other.path) == other, (kind, other.title)


@pytest.mark.parametrize("name", ["cutoff", "marine_seismics"])
def test_changes_are_timed_in_a_running_scene(name):
    told: list[str] = []
    kinds = ["probe", "background", "upwinding"] if name == "cutoff" else ["probe", "layer"]
    found = measure_live({name: scene_named(name)}, kinds, notify=told.append)
    assert told == [name]
    assert [change.kind for change in found] == kinds
    for change in found:
        assert change.scenes == 1
        assert change.changes > 0
        assert 0 < change.median_ms <= change.worst_ms
        assert change.worst_in == name
