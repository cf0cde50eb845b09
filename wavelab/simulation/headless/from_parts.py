"""A run of a mesh that lies in parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from wavelab.errors import WavelabError
from wavelab.meshing.mesh_names import check_names
from wavelab.meshing.parts.part_files import PartIndex, read_index
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.physics.problem import Problem
from wavelab.physics.subdomains.partition import Subdomain
from wavelab.scene.model.scene import Scene
from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.headless.preparing import mesh_in
from wavelab.simulation.parts.excerpts import (
    check_ranks,
    is_large,
    problem_of_parts,
    whole_mesh,
)
from wavelab.simulation.parts.places import looks_everywhere
from wavelab.simulation.steppers.rank_group import RankGroup
from wavelab.timeline import Timeline

#: A problem of an excerpt of a mesh, and what of that each rank has.
DealtProblem = tuple[Problem, Sequence[Subdomain]]
#: What looks at the whole field, by the names of options.
_EVERYWHERE = ("image", "movie", "swing", "snapshot", "figure", "ledger", "checkpoint", "watch")


def mesh_or_problem(
    scene: Scene,
    directory: Path | None,
    options: BatchOptions,
    ranks: RankGroup | None,
    notify: Callable[[str], None],
    timeline: Timeline,
) -> Mesh | DealtProblem:
    """The mesh of a scene, made or put together of its parts, or where it is in parts and nothing
    looks at all of it the problem of the excerpt that is looked at, and what of that each rank has.

    Parameters
    ----------
    directory : with the parts; None where there are none.

    Raises
    ------
    WavelabError : there are no parts of the mesh of the scene, or not as many as ranks.
    """
    if directory is None:
        return mesh_in(scene, notify, timeline)
    index = read_index(directory)
    _check_is_of(scene, index)
    check_ranks(directory, index, 1 if ranks is None else ranks.size)
    why = _needs_all(scene, options)
    if ranks is not None and not why and is_large(index):
        with timeline.span("build operators"):
            problem, dealt = problem_of_parts(scene, ranks, directory, index)
        for notice in problem.notices:
            notify(notice)
        return problem, dealt
    if ranks is not None and why and is_large(index):
        notify(f"the first rank holds the whole mesh, for {why}")
    with timeline.span("mesh"):
        mesh = whole_mesh(directory, index)
    for notice in check_names(scene, mesh):
        notify(notice)
    return mesh if scene.solver.curved else mesh.straight()


def _check_is_of(scene: Scene, index: PartIndex) -> None:
    if scene.mesh_file is None:
        raise WavelabError(
            "the scene draws its own domain, and has no mesh file that could be in parts",
            where=scene.where,
            remedy="Leave --parts out, or write the mesh to a file (wavelab mesh SCENE -o "
            'FILE.msh), part that, and name it in the scene: mesh = "FILE.msh".',
        )
    index.check_is_of(scene.mesh_file)


def _needs_all(scene: Scene, options: BatchOptions) -> str:
    """What looks at all of the field, in words; "" if nothing does."""
    for name in _EVERYWHERE:
        if getattr(options, name):
            return f"--{name}"
    return looks_everywhere(scene)
