"""Local time stepping for very long, by ``python -m scripts.ader_long_run``.

From noise that has every mode in it, at the largest step of the limits, on meshes of five clusters
and more: between conductors, round, in media that ring without losses, and with open walls.  It
prints the energy, that of the media included, after 10, 100, ... macro steps.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np

from tests.sample_meshes import jittered_square, random_fields, vacuum_operator
from wavelab.benchmark.local_steps import in_clusters
from wavelab.benchmark.meshes import with_small_elements
from wavelab.meshing.job import mesh_scene
from wavelab.numerics.fields.discretization import discretize
from wavelab.numerics.time.clusters import Clusters
from wavelab.opencl.local_time.local_stepper import LocalOpenCLStepper
from wavelab.physics.materials.auxiliary_energy import stored_energy
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.materials.dispersion import pole_equations
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.problem import discretize_scene
from wavelab.physics.time.local_stepping import local_clusters
from wavelab.scene.poles import Drude, Lorentz
from wavelab.scene.toml.toml_io import parse_scene

_RINGING = (Drude(0.6), Lorentz(2.0, 1.0))
_ROUND = """
title = "Round"
[domain]
shape = "ellipse"
center = [0, 0]
radii = [0.7, 0.7]
{walls}
[[materials]]
name = "speck"
shape = "polygon"
vertices = [[0.1, 0.1], [0.115, 0.1], [0.11, 0.11]]
[solver]
element_size = 0.2
order = {order}
safety = 1
stepper = "local"
"""
_OPEN = """
[[walls]]
edges = ["domain"]
kind = "open"
thickness = 0.4
"""

Case = tuple[str, MaxwellTM, Clusters, float, tuple[AuxiliaryEquations, ...]]


def cases(order: int) -> Iterator[Case]:
    """Name, operator, clusters, macro step and auxiliary equations."""
    mesh = with_small_elements(jittered_square(5))
    for name, poles in (("conductors", ()), ("ringing media", _RINGING)):
        d = discretize(mesh, order)
        operator = vacuum_operator(d)
        everything = np.arange(d.n_elements)
        equations = tuple(pole_equations(poles, everything, operator) for _ in poles[:1])
        clusters, step = local_clusters(operator, equations)
        operator, clusters = in_clusters(operator, clusters)
        yield name, operator, clusters, step, equations
    for name, walls in (("round", ""), ("open", _OPEN)):
        scene = parse_scene(_ROUND.format(order=order, walls=walls))
        problem = discretize_scene(scene, mesh_scene(scene))
        assert isinstance(problem.scheme, Clusters)
        yield name, problem.operator, problem.scheme, problem.dt_max, problem.auxiliary_equations


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--orders", type=int, nargs="+", default=[2, 4])
    parser.add_argument("--steps", type=int, default=100_000)
    arguments = parser.parse_args()
    for order in arguments.orders:
        for name, operator, clusters, dt, equations in cases(order):
            d = operator.discretization
            stepper = LocalOpenCLStepper(operator, dt=dt, clusters=clusters, precision="double")
            stepper.set_auxiliary_equations(equations)
            stepper.set_fields(random_fields(d))
            print(f"order {order}, {name}, clusters of {clusters.counts}:", end="", flush=True)
            until = 10
            while stepper.steps < arguments.steps:
                stepper.advance(min(until, arguments.steps) - stepper.steps)
                until *= 10
                fields = stepper.fields()
                energy = stepper.element_energy().sum()
                energy += stored_energy(equations, fields.auxiliary, d)
                print(f" {energy:.5e}", end="", flush=True)
            stepper.close()
            print()


if __name__ == "__main__":
    main()
