"""A problem of which the first rank sees an excerpt of the mesh, and each rank has its own part.

What acts beside the media and the walls, and what is looked at, lies in that excerpt, as does what
sets the time step, so that all of it is what it would be on the whole mesh.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from wavelab.arrays import Indices
from wavelab.errors import WavelabError
from wavelab.meshing.parts.part_files import PartIndex, read_part
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.numerics.mesh.mesh_part import Excerpt, put_together
from wavelab.physics.pml.pml_edges import Side
from wavelab.physics.pml.pml_pieces import pml_pieces
from wavelab.physics.problem import Problem, excerpted
from wavelab.physics.semi_discrete import operator_of
from wavelab.physics.subdomains.partition import Subdomain
from wavelab.physics.time import time_step
from wavelab.physics.time.crowding import POWER_STEPS
from wavelab.physics.walls.walls import discretized, with_edges_of
from wavelab.scene.model.scene import Scene
from wavelab.simulation.parts.places import places_of
from wavelab.simulation.steppers.rank_group import RankGroup
from wavelab.simulation.steppers.rank_part import Ranked


def check_ranks(directory: Path, index: PartIndex, n_ranks: int) -> None:
    """That there is a part for each rank.

    Raises
    ------
    WavelabError : there are more or fewer ranks than parts.
    """
    n_parts = len(index.parts)
    if n_parts != n_ranks:
        raise WavelabError(
            f"holds a mesh in {n_parts} parts, and there {'is' if n_ranks == 1 else 'are'} "
            f"{n_ranks} rank{'' if n_ranks == 1 else 's'}",
            where=str(directory),
            remedy=f"Start {n_parts}: mpiexec -n {n_parts} wavelab run ..., or part the mesh "
            f"anew: wavelab partition {index.mesh} -n {n_ranks} -o DIR.",
        )


def is_large(index: PartIndex) -> bool:
    """Whether an excerpt is less than the mesh: what sets the time step may be all over one that
    is small."""
    return index.elements > 2 * time_step.CANDIDATES


def whole_mesh(directory: Path, index: PartIndex) -> Mesh:
    """The mesh out of all of its parts.

    Raises
    ------
    MeshError : one cannot be read.
    """
    found: list[Excerpt] = []
    for rank in range(len(index.parts)):
        part = read_part(directory, index, rank)
        found.append(part.only(np.flatnonzero(part.owner == rank)))
    return put_together(found).mesh


def problem_of_parts(
    scene: Scene, ranks: RankGroup, directory: Path, index: PartIndex
) -> tuple[Problem, list[Subdomain]]:
    """The problem of the excerpt that the first rank sees, and what of the excerpt each rank has.

    Parameters
    ----------
    scene : in which nothing :func:`wavelab.simulation.parts.places.looks_everywhere`.

    Raises
    ------
    WavelabError : as for :func:`wavelab.physics.problem.discretize_scene`, or a part cannot be
        read.
    """
    ranks.ask("open_part", directory, index, scene)
    middles = _see_what_sets_the_step(scene, ranks)
    rim = _together(ranks.ask("borders"))
    sides: list[Side] = []
    if any(wall.pml for wall in scene.walls):
        d = discretized(scene, rim.mesh, in_order=True)
        sides = [piece.side for piece in pml_pieces(scene, d)]
    ranks.ask("see_places", places_of(scene), sides)
    found: list[Excerpt] = ranks.ask("excerpt")
    seen = _together(found)
    spread = np.searchsorted(seen.numbers, np.sort(middles))
    problem = excerpted(scene, seen.mesh, spread, index.elements)
    return problem, [_part(rank, of, seen, problem) for rank, of in enumerate(found)]


def _together(found: Sequence[Excerpt]) -> Excerpt:
    return put_together([excerpt for excerpt in found if len(excerpt.numbers)])


def _part(rank: int, of: Excerpt, seen: Excerpt, problem: Problem) -> Subdomain:
    """What of the excerpt a rank has."""
    elements = np.searchsorted(seen.numbers, of.numbers)
    n_straight = int(np.searchsorted(elements, problem.discretization.first_curved))
    return Subdomain(rank, elements, 0, n_straight, 0, {}, {})


def _see_what_sets_the_step(scene: Scene, ranks: RankGroup) -> Indices:
    """Let be seen where the fastest modes of the operator are; the numbers of the elements in the
    middle of those that spread over many.

    As :func:`wavelab.physics.time.time_step.stable_step` looks for them; one ring more, so that
    what is cut out of the excerpt has the same edges as cut out of the mesh.
    """
    rings = time_step.WORST_RINGS + 1
    worst = ranks.ask("crossed_fastest", time_step.WORST_ELEMENTS)
    ranks.ask("see", Ranked.first(worst, time_step.WORST_ELEMENTS), rings)
    stiff = ranks.ask("decaying_fastest", time_step.STIFF_ELEMENTS)
    ranks.ask("see", Ranked.first(stiff, time_step.STIFF_ELEMENTS), rings)
    ranks.ask("begin_crowding", max(ranks.ask("fastest")))
    scale = 1.0
    for _ in range(POWER_STEPS):
        scale = max(ranks.ask("crowd", scale))
    count = time_step.CANDIDATES
    crowded = Ranked.first(ranks.ask("most_crowded", count, scale), count)
    around = _together(ranks.ask("excerpt_around", crowded, time_step.CANDIDATE_RINGS + 1))
    operator = operator_of(
        with_edges_of(scene, around.mesh), discretized(scene, around.mesh, in_order=True)
    )
    fast = time_step.fast_around(operator, np.searchsorted(around.numbers, np.sort(crowded)))
    middles = around.numbers[fast]
    ranks.ask("see", middles, time_step.SPREAD_RINGS + 1)
    return middles
