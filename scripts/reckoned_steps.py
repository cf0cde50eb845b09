"""How long steps that are only reckoned come out: python -m scripts.reckoned_steps [SCENE ...]

Changes walls, upwinding and formulas of shipped scenes, and divides the step that is reckoned from
the one before (:mod:`wavelab.physics.revision`, its margins left out) by the one that is found in
the end.  What is above 1 the margins have to make up for.
"""

from __future__ import annotations

import argparse
import warnings
from collections import defaultdict

from wavelab.benchmark.changes import CHANGES
from wavelab.cli.shared.arguments import scene_named
from wavelab.errors import WavelabError
from wavelab.meshing.job import mesh_scene
from wavelab.physics.problem import Problem, discretize_scene, in_time
from wavelab.physics.revision import can_be_revised
from wavelab.physics.semi_discrete import operator_of, semi_discrete
from wavelab.physics.time.time_step import quick_step
from wavelab.scene.model.scene import LOCAL_STEPPING, Scene
from wavelab.scene.shelf import shipped_scenes

#: Kinds of changes, and which of each.
_TRIED = {"wall": (1, 3), "upwinding": (3, 5, 7), "formula": (1, 2)}


def main() -> None:
    """Print the largest ratios of each kind."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("scenes", nargs="*", default=list(shipped_scenes()))
    warnings.simplefilter("ignore")
    found: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for name in parser.parse_args().scenes:
        scene = scene_named(name)
        if scene.solver.stepper == LOCAL_STEPPING:
            continue
        problem = discretize_scene(scene, mesh_scene(scene))
        for kind, numbers in _TRIED.items():
            for number in numbers:
                changed = CHANGES[kind](scene, number)
                if changed in (None, scene) or not can_be_revised(scene, changed):
                    continue
                try:
                    found[kind].append((_ratio(problem, changed), name))
                except WavelabError:  # it is not for this scene
                    continue
    for kind, ratios in found.items():
        worst = ", ".join(f"{ratio:.3f} {name}" for ratio, name in sorted(ratios)[:-4:-1])
        print(f"{kind}: {len(ratios)} changes, the longest {worst}")


def _ratio(problem: Problem, changed: Scene) -> float:
    system = semi_discrete(changed, operator_of(changed, problem.discretization))
    _, scheme, found = in_time(changed, system)
    reckoned = quick_step(system.operator, scheme) / quick_step(problem.operator, problem.scheme)
    step = problem.dt_max / problem.scene.solver.safety * reckoned
    return step * changed.solver.safety / found


if __name__ == "__main__":
    main()
