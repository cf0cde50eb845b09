"""A scene that begins with a snapshot goes on from where the run was that wrote it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from wavelab.errors import SceneError
from wavelab.meshing.job import mesh_scene
from wavelab.output.files.snapshot import write_snapshot
from wavelab.physics.operator.fields import Fields, MaxwellFields
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.physics.start_fields import fields_at
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import FieldFormulas, Material, MaterialRegion, Scene, Solver
from wavelab.scene.model.shapes import Ellipse
from wavelab.scene.poles import Drude
from wavelab.scene.systems import SYSTEMS
from wavelab.scene.toml.toml_io import dump_scene, load_scene, parse_scene, save_scene
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.steppers.steppers import stepper_of

BOX = Scene("box", Solver(0.3, order=3, precision="double"))
DISK = replace(BOX, title="disk", outline=Ellipse((0.2, 0.1), (1.0, 0.7), 20.0))


def discrete(scene: Scene) -> Problem:
    return discretize_scene(scene, mesh_scene(scene))


def some_fields(problem: Problem) -> Fields:
    rng = np.random.default_rng(3)
    kind = problem.operator.fields
    return kind.of(rng.standard_normal((len(kind.names), *problem.discretization.shape)))


@pytest.mark.parametrize("stepper", ["auto", "local"])
@pytest.mark.parametrize("scene", [BOX, DISK], ids=lambda s: s.title)
def test_on_the_same_mesh_they_are_the_same_to_the_bit(scene, stepper, tmp_path):
    scene = replace(scene, solver=replace(scene.solver, stepper=stepper))
    problem = discrete(scene)
    fields = some_fields(problem)
    write_snapshot(tmp_path / "a.h5", problem, fields, 1.0)
    begun = discrete(replace(scene, initial_file=tmp_path / "a.h5")).initial
    for name in ("hx", "hy", "ez"):
        assert np.array_equal(getattr(begun, name), getattr(fields, name))


OTHERS = """
{head}
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 1]
{walls}
[solver]
element_size = 0.4
order = 2
"""
PHASE = """
[[walls]]
edges = ["domain.left", "domain.right"]
kind = "periodic"
phase = 0.3
"""


@pytest.mark.parametrize(
    ("head", "walls"),
    [("", PHASE), *((f'physics = "{key}"', "") for key in SYSTEMS)],
)
def test_so_it_is_for_waves_of_every_kind(head, walls, tmp_path):
    """With complex fields too."""
    scene = parse_scene(OTHERS.format(head=head, walls=walls))
    problem = discrete(scene)
    fields = some_fields(problem)
    write_snapshot(tmp_path / "a.h5", problem, fields, 1.0)
    begun = discrete(replace(scene, initial_file=tmp_path / "a.h5")).initial
    for name in problem.operator.fields.names:
        assert np.array_equal(getattr(begun, name), getattr(fields, name))


@pytest.mark.parametrize("walls", ["", PHASE], ids=["real", "complex"])
def test_a_membrane_is_displaced_as_it_was(walls, tmp_path):
    scene = parse_scene(OTHERS.format(head='physics = "membrane"', walls=walls))
    problem = discrete(scene)
    rng, shape = np.random.default_rng(4), problem.discretization.shape
    fields = replace(some_fields(problem), auxiliary=(rng.standard_normal((1, *shape)),))
    write_snapshot(tmp_path / "a.h5", problem, fields, 1.0)
    again = discrete(replace(scene, initial_file=tmp_path / "a.h5"))
    assert np.array_equal(again.initial.auxiliary[0], fields.auxiliary[0])
    assert np.array_equal(again.initial.ez, fields.ez)
    assert not [notice for notice in again.notices if "begins" in notice]
    finer = parse_scene(dump_scene(scene).replace("element_size = 0.4", "element_size = 0.3"))
    begun = discrete(replace(finer, initial_file=tmp_path / "a.h5"))
    d, before = begun.discretization, problem.discretization
    of_both = [
        np.einsum("kn,kn->", d.apply_mass(values), np.ones(d.shape))
        for d, values in ((d, begun.initial.auxiliary[0][0]), (before, fields.auxiliary[0][0]))
    ]
    assert of_both[0] == pytest.approx(of_both[1], rel=1e-9)


def test_of_a_membrane_an_older_snapshot_says_that_it_does_not_know(tmp_path):
    scene = parse_scene(OTHERS.format(head='physics = "membrane"', walls=""))
    problem = discrete(scene)
    write_snapshot(tmp_path / "a.h5", problem, some_fields(problem), 1.0)
    (notice,) = (
        notice
        for notice in discrete(replace(scene, initial_file=tmp_path / "a.h5")).notices
        if "begins" in notice
    )
    assert "do not say the displacement: it begins at 0" in notice


def test_a_snapshot_of_other_waves_is_refused(tmp_path):
    write_snapshot(tmp_path / "a.h5", (p := discrete(BOX)), some_fields(p), 1.0)
    sound = parse_scene(OTHERS.format(head='physics = "sound"', walls=""))
    with pytest.raises(SceneError, match="as waves of this kind do") as error:
        discrete(replace(sound, initial_file=tmp_path / "a.h5"))
    assert error.value.remedy


def test_two_runs_one_after_the_other_are_one(tmp_path):
    wave = FieldFormulas(ez=Formula.parse("exp(-40*((x-0.4)^2 + (y-0.5)^2))", ("x", "y")))
    problem = discrete(replace(BOX, initial=wave))
    whole = Simulation(problem, stepper_of(problem, backend="numpy"))
    whole.advance(40)
    fields = whole.stepper.fields()
    write_snapshot(tmp_path / "a.h5", problem, fields, whole.time)
    whole.advance(40)
    second = discrete(replace(BOX, initial_file=tmp_path / "a.h5"))
    after = Simulation(second, stepper_of(second, backend="numpy"))
    assert after.time == 0.0
    after.advance(40)
    assert np.array_equal(after.stepper.fields().ez, whole.stepper.fields().ez)


@pytest.mark.parametrize(("size", "order"), [(0.17, 3), (0.4, 5), (0.25, 3)])
def test_on_another_mesh_polynomials_stay_what_they_are(size, order, tmp_path):
    problem = discrete(BOX)
    d = problem.discretization

    def cubic(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return 1 + x - 2 * y**3 + x**2 * y

    write_snapshot(tmp_path / "a.h5", problem, MaxwellFields(d.x, d.y**2, cubic(d.x, d.y)), 1.0)
    other = replace(
        BOX,
        initial_file=tmp_path / "a.h5",
        solver=replace(BOX.solver, element_size=size, order=order),
    )
    found = discrete(other)
    x, y = found.discretization.x, found.discretization.y
    np.testing.assert_allclose(found.initial.hx, x, atol=1e-11)
    np.testing.assert_allclose(found.initial.hy, y**2, atol=1e-11)
    np.testing.assert_allclose(found.initial.ez, cubic(x, y), atol=1e-11)
    at = fields_at(BOX, tmp_path / "a.h5", np.array([[0.1, 0.7]]), np.array([[0.2, 0.9]]))
    np.testing.assert_allclose(at["ez"], [[cubic(0.1, 0.2), cubic(0.7, 0.9)]], atol=1e-12)


def test_what_a_snapshot_does_not_say_is_told(tmp_path):
    write_snapshot(tmp_path / "a.h5", (p := discrete(BOX)), some_fields(p), 1.0)
    metal = MaterialRegion(
        "metal", Material(poles=(Drude(0.7, 0.1),)), Ellipse((0.5, 0.5), (0.2, 0.2))
    )
    problem = discrete(replace(BOX, materials=(metal,), initial_file=tmp_path / "a.h5"))
    assert any('"a.h5"' in text and "at rest" in text for text in problem.notices)
    assert not any("at rest" in text for text in p.notices)


def test_files_that_are_none_are_refused_with_a_remedy(tmp_path):
    path, problem = tmp_path / "a.h5", discrete(DISK)
    write_snapshot(path, problem, some_fields(problem), 1.0)
    content = path.read_bytes()
    for cut in (b"", content[:700], content[: len(content) // 2]):
        path.write_bytes(cut)
        with pytest.raises(SceneError) as error:
            discrete(replace(DISK, initial_file=path))
        assert error.value.remedy


def test_a_scene_file_names_it_from_where_it_lies(tmp_path):
    (tmp_path / "scenes").mkdir()
    path, text = tmp_path / "scenes" / "s.toml", '[domain]\nshape = "rectangle"\nlower = [0, 0]\n'
    text += 'upper = [1, 1]\n[solver]\nelement_size = 0.3\n[initial]\nfile = "../a.h5"\n'
    write_snapshot(tmp_path / "a.h5", (p := discrete(BOX)), some_fields(p), 1.0)
    path.write_text(text)
    scene = load_scene(path)
    assert scene.initial_file == tmp_path / "a.h5"
    save_scene(scene, tmp_path / "other.toml")
    assert 'file = "a.h5"' in (tmp_path / "other.toml").read_text()
    assert load_scene(tmp_path / "other.toml").initial_file == tmp_path / "a.h5"
    for more, match in (
        ('ez = "x"\n', "unknown key|formulas and with a file"),
        ("", "no snapshot"),
    ):
        path.write_text(text.replace("a.h5", "a.h5" if more else "b.h5") + more)
        with pytest.raises(SceneError, match=match) as error:
            load_scene(path)
        assert error.value.remedy
    path.write_text(text.replace("a.h5", "a.vtu"))
    with pytest.raises(SceneError, match="by its ending"):
        load_scene(path)
