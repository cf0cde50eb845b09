"""What it costs that elements follow arcs: python -m scripts.curved_cost

Scenes as somebody draws them, once with straight and once with round faces: seconds of meshing
(with the start of its process), elements, elements with an arc, time step, and microseconds per
Runge-Kutta stage on the device that the program takes.
"""

from __future__ import annotations

import time
from dataclasses import replace

from wavelab.meshing.job import mesh_scene
from wavelab.physics.problem import discretize_scene
from wavelab.scene.model.scene import Hole, Material, MaterialRegion, Scene, Solver
from wavelab.scene.model.shapes import Ellipse, Polygon, Shape
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.steppers.steppers import stepper_of

#: Of several measurements the least counts: short ones, which a busy machine leaves alone at times.
_MESHES, _ROUNDS, _STEPS = 3, 200, 5

_CENTER = (0.5, 0.5)


def _with_hole(shape: Shape, size: float) -> Scene:
    return Scene("obstacle", Solver(element_size=size), holes=(Hole("obstacle", shape),))


def scenes() -> dict[str, Scene]:
    """By what is drawn in the unit square, or in its place."""
    circle, slender = Ellipse(_CENTER, (0.2, 0.2)), Ellipse(_CENTER, (0.3, 0.03), 20)
    square = ((0.3, 0.3), (0.7, 0.3), (0.7, 0.7), (0.3, 0.7))
    glass = (MaterialRegion("glass", Material(2.25), circle),)
    return {
        "circle, coarse": _with_hole(circle, 0.1),
        "circle": _with_hole(circle, 0.05),
        "circle, fine": _with_hole(circle, 0.0125),
        "small circle": _with_hole(Ellipse(_CENTER, (0.02, 0.02)), 0.05),
        "slender ellipse": _with_hole(slender, 0.05),
        "bowed square": _with_hole(Polygon(square, (0.3, -0.3, 0.3, -0.3)), 0.05),
        "glass disk": Scene("glass", Solver(element_size=0.05), materials=glass),
        "round domain": Scene("room", Solver(element_size=0.05), Ellipse(_CENTER, (0.5, 0.5))),
    }


def measure(scene: Scene) -> tuple[float, int, int, float, float]:
    """Seconds of meshing, elements, elements with an arc, time step, seconds per stage."""
    meshing, stage = [], []
    for _ in range(_MESHES):
        began = time.perf_counter()
        mesh = mesh_scene(scene)
        meshing.append(time.perf_counter() - began)
    problem = discretize_scene(scene, mesh)
    stepper = stepper_of(problem, backend="opencl")
    simulation = Simulation(problem, stepper)
    for _ in range(_ROUNDS):
        began = time.perf_counter()
        simulation.advance(_STEPS)
        stepper.synchronize()
        stage.append((time.perf_counter() - began) / _STEPS / problem.scheme.n_stages)
    simulation.close()
    arcs = int(mesh.has_curved_face().sum())
    return min(meshing), mesh.n_elements, arcs, problem.dt_max, min(stage)


def main() -> None:
    head = ("", "faces", "meshing s", "elements", "with arc", "dt", "stage us")
    print("{:16} {:9} {:>9} {:>9} {:>9} {:>9} {:>9}".format(*head))
    for name, scene in scenes().items():
        for curved in (False, True):
            as_asked = replace(scene, solver=replace(scene.solver, curved=curved))
            seconds, elements, arcs, dt, stage = measure(as_asked)
            kind = "round" if curved else "straight"
            numbers = f"{seconds:9.3f} {elements:9,} {arcs:9,} {dt:9.3g} {1e6 * stage:9.1f}"
            print(f"{name:16} {kind:9} {numbers}", flush=True)


if __name__ == "__main__":
    main()
