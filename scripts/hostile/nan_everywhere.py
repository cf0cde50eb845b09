"""Plant a NaN in every element and every field, and see that it is caught and its place is named.

A scene with dispersive glass and an open side is run by each stepper.  In each element in turn one
number of Ez, Hx, Hy or an auxiliary variable (of the element, if it has any) is made NaN or
infinite, before one of the steps between two looks.  Within ten steps the run has to stop with
a message that names an element no more than three faces away, and its place.  How far away it was
is counted.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np

from scripts.hostile.tally import Tally, options
from wavelab.errors import UnstableError
from wavelab.meshing.job import mesh_scene
from wavelab.physics.operator.fields import Fields
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.core.simulation import Simulation, State
from wavelab.simulation.steppers.steppers import stepper_of

#: Steps until it has to be caught, and faces from the element to the one that is named.
STEPS, FARTHEST = 10, 3
SCENE = """
title = "Everything"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 1]
[initial]
ez = "sin(pi*x)*sin(pi*y)"
[[materials]]
shape = "ellipse"
center = [0.4, 0.4]
radii = [0.2, 0.2]
epsilon = 2.0
POLES
[[walls]]
edges = ["domain.right"]
kind = "open"
[solver]
element_size = SIZE
order = 3
stepper = "STEPPER"
precision = "PRECISION"
"""
POLES = 'poles = [{ kind = "lorentz", frequency = 2.0, strength = 1.0, damping = 0.1 }]'
#: Backend, variant of the kernels, precision and way to step.
CASES = (
    ("numpy", None, "double", "ck54"),
    ("opencl", "aosoa", "single", "auto"),
    ("opencl", "per_node", "double", "ck54"),
    ("numpy", None, "double", "local"),
    ("opencl", None, "single", "local"),
)


def problem(size: float, precision: str, stepper: str, more: str = "") -> Problem:
    text = SCENE.replace("SIZE", str(size)).replace("STEPPER", stepper)
    text = text.replace("PRECISION", precision).replace("POLES", POLES)
    scene = parse_scene(text + more)
    return discretize_scene(scene, mesh_scene(scene))


def planted(
    problem: Problem, fields: Fields, element: int, bad: float, chance: np.random.Generator
) -> Iterator[tuple[str, Fields]]:
    """Each field and each auxiliary variable of an element, with one bad number in it."""
    node = int(chance.integers(problem.discretization.nodes_per_element))
    for name in ("ez", "hx", "hy"):
        found = fields.copy()
        getattr(found, name)[element, node] = bad
        yield name, found
    for number, equations in enumerate(problem.auxiliary_equations):
        for row in np.flatnonzero(np.asarray(equations.elements) == element):
            for variable, name in enumerate(equations.variables):
                found = fields.copy()
                found.auxiliary[number][variable, row, node] = bad
                yield f"{name} of a {equations.kind}", found


def caught(
    simulation: Simulation, fields: Fields, steps: int, element: int, tally: Tally
) -> Iterator[str]:
    """What is wrong with how a number is caught that is bad after so many steps."""
    simulation.restore(State(simulation.problem.initial, steps * simulation.dt, steps))
    simulation.stepper.set_fields(fields)
    try:
        simulation.advance(STEPS)
    except UnstableError as error:
        away = faces_between(simulation, element, error.element)
        tally.note(f"{away} faces away")
        if away > FARTHEST:
            yield f"element {element} was bad, and it says: {error.message}"
        elif f"element {error.element} near (" not in error.message:
            yield f"no place: {error.message}"
        return
    yield f"element {element} was bad, and nothing is said in {STEPS} steps"


def faces_between(simulation: Simulation, one: int, other: int) -> int:
    """Faces crossed on the way from one element to another."""
    neighbors = simulation.problem.discretization.connectivity.neighbor_element
    reached, faces = {one}, 0
    while other not in reached and faces < len(neighbors):
        reached |= set(neighbors[list(reached)].ravel().tolist())
        faces += 1
    return faces


def plant_everywhere(size: float, every: int, seed: int, tally: Tally) -> None:
    """In one of ``every`` elements, in all cases.

    Parameters
    ----------
    size : of the elements.
    """
    chance = np.random.default_rng(seed)
    for backend, variant, precision, way in CASES:
        here = problem(size, precision, way)
        simulation = Simulation(here, stepper_of(here, backend=backend, variant=variant))
        simulation.advance(1)
        fields = simulation.stepper.fields()
        kind = f"{way} on {backend} {variant or ''}".strip()
        for element in range(0, here.discretization.n_elements, every):
            bad = float(chance.choice([np.nan, np.inf, -np.inf]))
            for name, found in planted(here, fields, element, bad, chance):
                told = list(caught(simulation, found, int(chance.integers(4)), element, tally))
                tally.add(f"{name}, {kind}", told)
        simulation.close()


def main() -> int:
    parser = options(__doc__, every=1)
    parser.add_argument("--size", type=float, default=0.1, help="of elements (default 0.1)")
    arguments = parser.parse_args()
    tally = Tally()
    np.seterr(all="ignore")
    plant_everywhere(arguments.size, arguments.every, arguments.seed, tally)
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main())
