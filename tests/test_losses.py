"""What takes energy from water and membranes, against exact solutions: the friction of a bottom, a
breakwater that lets water through, a rim that slides."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sample_systems import SCALAR, wall_of_impedance
from wavelab.errors import SceneError
from wavelab.meshing.job import mesh_scene
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.mesh.connectivity import face_selection
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.physics.exact import FieldError, field_errors
from wavelab.physics.materials.materials import Materials, impedance_at_faces, materials_of
from wavelab.physics.problem import discretize_scene
from wavelab.physics.walls.walls import discretized, reflection_coefficients
from wavelab.scene.editing.switching import switched
from wavelab.scene.model.scene import Scene
from wavelab.scene.systems import SYSTEMS
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.steppers.steppers import make_stepper

#: By systems that have a wall with an impedance, its kind and its number.
WITH_IMPEDANCE = {
    key: found for key in SCALAR if (found := wall_of_impedance(SYSTEMS[key])) is not None
}


def channel(
    physics: str,
    medium: str,
    right: str,
    exact: dict[str, str],
    until: float = 1.0,
    left: str = 'kind = "absorbing"',
) -> Scene:
    """A channel from x = 0, where waves go out, to 2, which begins with its exact solution."""
    begin = {key: text.replace("(t)", "(0)") for key, text in exact.items()}
    lines = ["\n".join(f'{k} = "{v}"' for k, v in f.items()) for f in (begin, exact)]
    tables = f"[initial]\n{lines[0]}\n[exact]\n{lines[1]}" if exact else ""
    return parse_scene(f"""
physics = "{physics}"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [2, 0.2]
[background]
{medium}
[[walls]]
edges = ["domain.bottom", "domain.top"]
kind = "periodic"
[[walls]]
edges = ["domain.left"]
{left}
[[walls]]
edges = ["domain.right"]
{right}
{tables}
[solver]
element_size = 0.15
order = 6
until = {until}
precision = "double"
""")


def run(scene: Scene) -> tuple[dict[str, FieldError], float]:
    """Errors at the end, and the part of the energy that is left then."""
    problem = discretize_scene(scene, mesh_scene(scene))
    steps = problem.steps_to_end()
    stepper = make_stepper(
        problem.operator, dt=scene.solver.until / steps, scheme=problem.scheme, backend="numpy"
    )
    simulation = Simulation(problem, stepper)
    start = float(simulation.element_energy().sum())
    simulation.advance(steps)
    errors = field_errors(problem, stepper.fields(), simulation.time)
    left = float(simulation.element_energy().sum()) / start
    simulation.close()
    return errors, left


def pulse(place: str) -> str:
    return f"exp(-(({place})/0.15)^2)"


@pytest.mark.parametrize(
    ("physics", "medium", "right", "speed", "returned", "vector"),
    [
        ("water", "depth = 0.49", 'kind = "porous"\nreflected = 0.4', 0.7, 0.4, "qx = 0.7*"),
        ("water", "depth = 4", 'kind = "porous"\nreflected = 0', 2.0, 0.0, "qx = 2*"),
        ("water", "depth = 4", 'kind = "porous"\nreflected = 1', 2.0, 1.0, "qx = 2*"),
        # The characteristic resistance is the root of density times tension, 1.2.
        ("membrane", "density = 2\ntension = 0.72", 'kind = "damped"\nresistance = 0.3', 0.6,
         0.9 / 1.5, "sx = -1.2*"),
        ("membrane", "density = 2\ntension = 0.72", 'kind = "damped"\nresistance = 6', 0.6,
         -4.8 / 7.2, "sx = -1.2*"),
        ("membrane", "density = 2\ntension = 0.72", 'kind = "damped"\nresistance = 0', 0.6,
         1.0, "sx = -1.2*"),
        # The impedance of the planes is sqrt(1.8 / 0.2), three times that of the resistors.
        ("planes", "capacitance = 0.2\ninductance = 1.8", 'kind = "impedance"\nimpedance = 1',
         5 / 3, -0.5, "jx = 1/3*"),
        ("sound", "density = 1.5\nspeed = 0.8", 'kind = "impedance"\nimpedance = 3.6', 0.8,
         2.4 / 4.8, "vx = 1/1.2*"),
    ],
)  # fmt: skip
def test_the_part_that_comes_back_is_the_one_that_is_given(
    physics, medium, right, speed, returned, vector
):
    """A pulse from x = 0.8, after its front has been at the wall at 2 and is on its way back."""
    goes, comes = pulse(f"x - 0.8 - {speed}*(t)"), pulse(f"3.2 - x - {speed}*(t)")
    name, factor = vector.split(" = ")
    scalar = SYSTEMS[physics].scalar.key
    exact = {
        scalar: f"{goes} + {returned!r}*{comes}",
        name: f"{factor}({goes} - {returned!r}*{comes})",
    }
    scene = channel(physics, medium, right, exact, 2 / speed)
    errors, left = run(scene)
    assert max(errors[key].l2 for key in ("ez", "hy")) < 1e-4
    assert left == pytest.approx(returned**2, abs=1e-5)


@settings(max_examples=8)
@given(st.just(0.0) | st.floats(1e-9, 1))
def test_a_part_is_one_of_what_is_in_front_of_the_wall(part):
    """Also where the depth changes along it and an element's constant is another one: its impedance
    is that of the water there times (1 + R) / (1 - R), and an absorbing wall tells that of the
    water."""
    r = {}
    for kind, words in (("porous", f"\nreflected = {part!r}"), ("absorbing", "")):
        scene = channel("water", 'depth = "1 + 2*x*y"', f'kind = "{kind}"{words}', {})
        d, materials = uneven(scene)
        at_faces = impedance_at_faces(materials, d)
        found = reflection_coefficients(scene, d.mesh, materials.impedance, at_faces)
        r[kind] = found[face_selection(d.mesh, ("domain.right",))]
    water = (1 + r["absorbing"]) / (1 - r["absorbing"])
    right = (water * (1 + part) - (1 - part)) / (water * (1 + part) + (1 - part))
    assert r["porous"] == pytest.approx(right, abs=1e-12)
    assert np.abs(r["absorbing"]).max() > 1e-3


@cache
def mesh_of_channel() -> Mesh:
    return mesh_scene(channel("water", "", 'kind = "shore"', {}))


def uneven(scene: Scene) -> tuple[Discretization, Materials]:
    """Elements of a channel, and what fills them."""
    d = discretized(scene, mesh_of_channel())
    return d, materials_of(scene, d)


@pytest.mark.parametrize("friction", [0.4, 9.0], ids=["swings", "creeps"])
def test_water_slows_down_as_its_friction_says(friction):
    """A standing wave between shores: h'' + friction h' + (pi c)^2 h = 0, which swings where the
    friction is below 2 pi c and creeps back where it is above."""
    depth = 0.81
    k2 = math.pi**2 * depth
    square = k2 - friction**2 / 4
    w = math.sqrt(abs(square))
    cos, sin = ("cos", "sin") if square > 0 else ("cosh", "sinh")
    fall = f"exp(-{friction / 2}*(t))"
    exact = {
        "elevation": f"{fall}*({cos}({w!r}*(t)) + {friction / 2 / w!r}*{sin}({w!r}*(t)))*cos(pi*x)",
        "qx": f"{k2 / math.pi / w!r}*{fall}*{sin}({w!r}*(t))*sin(pi*x)",
    }
    words = f'depth = {depth}\nfriction = "{friction} + 0*x"'  # a formula is the same
    for medium in (words, words.replace('"', "").replace(" + 0*x", "")):
        scene = channel("water", medium, 'kind = "shore"', exact, left='kind = "shore"')
        errors, left = run(scene)
        assert max(errors[key].l2 for key in ("ez", "hy")) < 1e-4
        assert left < 0.9


def test_what_cannot_be_is_refused_by_name():
    for right, words in (
        ('kind = "porous"\nreflected = 1.5', "reflected of wall 3 is 1.5"),
        ('kind = "porous"\nreflected = -0.1', "reflected of wall 3 is -0.1"),
        ('kind = "porous"', "wall 3 has no reflected"),
        ('kind = "shore"\nreflected = 0.5', "wall 3 has a reflected, but its kind is shore"),
        ('kind = "impedance"\nimpedance = 1', 'which is for physics = "light"'),
    ):
        with pytest.raises(SceneError, match=words) as caught:
            channel("water", "depth = 1", right, {"elevation": "0"})
        assert caught.value.remedy
    with pytest.raises(SceneError, match="friction of the background is -1"):
        channel("water", "friction = -1", "", {"elevation": "0"})
    with pytest.raises(SceneError, match="resistance of wall 3 is -1"):
        channel("membrane", "", 'kind = "damped"\nresistance = -1', {"velocity": "0"})
    scene = channel("water", 'depth = "1 + 0.1*sin(t)"', 'kind = "porous"\nreflected = 0.5',
                    {"elevation": "0"})  # fmt: skip
    with pytest.raises(SceneError, match="changes in time"):
        discretize_scene(scene, mesh_of_channel())


@pytest.mark.parametrize("physics", WITH_IMPEDANCE)
@pytest.mark.parametrize("other", WITH_IMPEDANCE)
def test_an_impedance_stays_where_waves_become_others(physics, other):
    """What comes back of a wave is the same, since the solver's coefficients are; between the
    polarizations of light the number stays, as that of a material does."""
    z = np.array([0.2, 1.0, 3.0])
    kind, key = WITH_IMPEDANCE[physics]
    scene = channel(physics, "", f'kind = "{kind}"\n{key} = 0.4', {})
    there, _ = switched(scene, other)
    back, _ = switched(there, physics)
    assert back.walls[2] == scene.walls[2]
    if {physics, other} != {"light", "te"}:
        assert there.walls[2].reflection(z) == pytest.approx(scene.walls[2].reflection(z))


def test_losses_stay_where_waves_become_others():
    scene = channel("water", "depth = 0.5\nfriction = 0.3", 'kind = "shore"', {})
    there, notes = switched(scene, "te")
    assert there.background.sigma == pytest.approx(0.6)
    assert not any("loses" in note for note in notes)
    assert switched(there, "water")[0].background == scene.background
    _, notes = switched(scene, "sound")
    assert "the background loses its losses" in notes
