"""Going on with a headless run from a checkpoint, in another process than it was begun in."""

from __future__ import annotations

from collections.abc import Callable
from typing import TextIO

from wavelab.physics.problem import discretize_scene
from wavelab.scene.model.scene import Scene
from wavelab.simulation.headless.batch import run_problem
from wavelab.simulation.headless.batch_options import BatchOptions, check_options
from wavelab.simulation.headless.checkpoints.checkpoint import Checkpoint
from wavelab.simulation.headless.checkpoints.schedule import Checkpoints
from wavelab.simulation.headless.summary import Summary
from wavelab.simulation.steppers.rank_group import RankGroup
from wavelab.timeline import NO_TIMELINE, Timeline


def resume_batch(
    begun: Checkpoint,
    options: BatchOptions,
    scene: Scene,
    *,
    notify: Callable[[str], None] = lambda text: None,
    log: TextIO | None = None,
    timeline: Timeline = NO_TIMELINE,
    ranks: RankGroup | None = None,
) -> Summary:
    """Go on with a run where a checkpoint was made, bit for bit as it would have gone on; to
    rounding on another number of ranks.

    Parameters
    ----------
    options, scene : of the run, as the checkpoint's ``options_again`` and ``scene_again`` give
        them.
    ranks : that share the mesh; None for this process alone.

    Raises
    ------
    WavelabError : it cannot go on to the bit, or as for :func:`run_batch`.
    """
    check_options(scene, options)
    checkpoints = Checkpoints(options, scene, begun.mesh, notify, begun)
    with timeline.span("build operators"):
        problem = discretize_scene(scene, begun.mesh)
    return run_problem(
        problem, options, notify=notify, log=log, timeline=timeline, checkpoints=checkpoints,
        ranks=ranks,
    )  # fmt: skip
