"""What a headless run changes in a scene and writes, and whether it can."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from wavelab.atomic import check_different, check_target
from wavelab.errors import WavelabError
from wavelab.output import picture
from wavelab.output.figures import figure
from wavelab.output.figures.style import Style
from wavelab.output.files import hdf5, tables
from wavelab.output.movies import formats as movie_formats
from wavelab.output.palette import palette_info
from wavelab.scene.model.item_error import require_one_of
from wavelab.scene.model.limits import check_length
from wavelab.scene.model.overrides import given, with_solver
from wavelab.scene.model.scene import Scene
from wavelab.scene.systems import system_of
from wavelab.scene.view.quantities import ARROWS, can_show, monitor_to_show, names_of
from wavelab.scene.view.view_rules import check_decades, check_relief
from wavelab.simulation.headless.snapshots import check_snapshots
from wavelab.simulation.records import monitor_files, wav
from wavelab.simulation.views.views import suited_palette

#: Of a movie: nine hours at 30 a second.
MOST_PICTURES = 1_000_000


@dataclass(frozen=True)
class BatchOptions:
    """What to change in a scene and what to write; None leaves it as the scene says.

    Attributes
    ----------
    until : simulated time to end at, or "decayed": when the wave has died away.
    decayed : part of the largest energy at which to end before.
    backend, device, variant : see ``wavelab.simulation.steppers.steppers.make_stepper``.
    order, precision, element_size, stepper : override the scene's ``[solver]``.
    image, movie, swing, probes, wav, snapshot, monitors, gather : files to write.
    figure, plots : figures of the field at the end, and of what probes and monitors have recorded.
    figure_style : how they look; None as is usual.
    probe : names of those that are heard in ``wav``; none is all.
    tone, hertz : what the frequency of the sources is heard as, or else what the frequency 1 is;
        without any the true one, in a scene with units that can be heard.
    snapshot_every : simulated time between two snapshots of a numbered series; None writes one, at
        the end.
    size : (width, height) of picture and movie in pixels; the shape of the domain by default.
    time_per_frame, fps : simulated time between two pictures of the movie, and its frame rate.
    quantity, palette, limit, arrows, decades, relief : override the scene's ``[view]``.
    ledger : keep the energy ledger and report it.
    checkpoint, every : the file to go on from should the run be ended, and seconds of wall time
        after which it is written anew.
    progress : a bar on stderr; None shows it if stderr is a terminal.
    long : run even if it will take more than 30 days.
    watch, key : "host:port" at which windows may look at the run, and the file with what they have
        to know; None for the user's own.
    """

    until: float | str | None = None
    decayed: float | None = None
    backend: str = "auto"
    device: str | None = None
    variant: str | None = None
    order: int | None = None
    precision: str | None = None
    element_size: float | None = None
    stepper: str | None = None
    image: Path | None = None
    wav: Path | None = None
    probe: Sequence[str] = ()
    tone: float | None = None
    hertz: float | None = None
    movie: Path | None = None
    swing: Path | None = None
    probes: Path | None = None
    snapshot: Path | None = None
    snapshot_every: float | None = None
    monitors: Path | None = None
    gather: Path | None = None
    figure: tuple[Path, ...] = ()
    plots: tuple[Path, ...] = ()
    figure_style: Style | None = None
    size: tuple[int, int] | None = None
    time_per_frame: float | None = None
    fps: int = 30
    quantity: str | None = None
    palette: str | None = None
    limit: float | None = None
    arrows: str | None = None
    decades: int | None = None
    relief: tuple[float, float] | None = None
    ledger: bool = False
    checkpoint: Path | None = None
    every: float | None = None
    progress: bool | None = None
    long: bool = False
    watch: str | None = None
    key: Path | None = None

    def applied(self, scene: Scene) -> Scene:
        """The scene with what is overridden here.

        Raises
        ------
        SceneError : an element size for a scene with a mesh file, or none that says how long to
            wait for the wave to die away.
        """
        scene = with_solver(
            scene,
            until=self.until,
            decayed=self.decayed,
            order=self.order,
            precision=self.precision,
            element_size=self.element_size,
            stepper=self.stepper,
        )
        quantity = scene.view.quantity
        if self.quantity is not None:
            known = names_of(system_of(scene))
            require_one_of(self.quantity, known, ("view", "quantity"), "quantity")
            quantity = known[self.quantity]
        view = given(
            quantity=quantity,
            palette=self.palette or suited_palette(quantity, scene.view.palette),
            limit=self.limit,
            arrows=self.arrows,
            decades=self.decades,
            relief=self.relief,
        )
        return replace(scene, view=replace(scene.view, **view))


#: Leaves a scene as it is and writes nothing.
AS_IT_IS = BatchOptions()


def check_options(scene: Scene, options: BatchOptions) -> None:
    """Look for what would go wrong only after the run.

    Raises
    ------
    WavelabError : a file cannot be written, or there would be nothing in it; there is no such time,
        quantity or palette.
    """
    for path, suffixes in (
        (options.image, picture.SUFFIXES),
        (options.movie, tuple(movie_formats.FORMATS)),
        (options.swing, tuple(movie_formats.FORMATS)),
        (options.probes, tables.SUFFIXES),
        (options.wav, wav.SUFFIXES),
        (options.monitors, monitor_files.SUFFIXES),
        (options.gather, picture.SUFFIXES),
        (options.checkpoint, hdf5.SUFFIXES),
        *((path, figure.SUFFIXES) for path in (*options.figure, *options.plots)),
    ):
        if path is not None:
            check_target(path, suffixes)
    check_different(
        (
            options.image, options.movie, options.probes, options.monitors, options.gather,
            options.snapshot, options.wav, options.checkpoint, options.swing,
            *options.figure, *options.plots,
        )
    )  # fmt: skip
    for path in (options.probes, options.wav):
        if path is not None and not scene.probes:
            raise WavelabError(
                "the scene has no probes to write",
                where=str(path),
                remedy='Add a [[probes]] table with "name" and "position" to the scene.',
            )
    _check_sound(scene, options)
    if options.every is not None and options.checkpoint is None:
        raise WavelabError(
            f"a checkpoint every {options.every:g} s has no file to go to",
            remedy="Name it: --checkpoint run.h5.",
        )
    monitor_files.check_monitors(scene, options.monitors, options.gather)
    _check_plots(scene, options.plots)
    until = scene.solver.until
    if not (math.isfinite(until) and until > 0):
        raise WavelabError(
            f"the time to run until is {until}", remedy="It must be a positive number."
        )
    check_snapshots(options.snapshot, options.snapshot_every, until)
    check_length(scene.solver.element_size, ("solver", "element_size"), "element_size")
    if options.movie is not None and options.time_per_frame is not None:
        pictures = until / options.time_per_frame
        if pictures > MOST_PICTURES:
            raise WavelabError(
                f"a picture every {options.time_per_frame:g} makes {pictures:.2g} pictures",
                where=str(options.movie),
                remedy=f"Take {until / MOST_PICTURES:.2g} or more from one to the next.",
            )
    if scene.view.arrows not in ARROWS:
        raise WavelabError(
            f"there are no arrows {scene.view.arrows!r}",
            where=scene.where,
            remedy=f"Use one of {', '.join(ARROWS)}.",
        )
    asked = [("quantity", scene.view.quantity), ("arrows", scene.view.arrows)]
    if options.swing is not None:
        asked.append(("quantity", "steady"))
    for what, wished in asked:
        if not can_show(wished, scene.monitors):
            raise WavelabError(
                f'no monitor measures the {what} "{wished}"',
                where=scene.where,
                remedy=monitor_to_show(wished),
            )
    palette_info(scene.view.palette)
    check_decades(scene.view.decades)
    check_relief(scene.view.relief)


def _check_plots(scene: Scene, plots: Sequence[Path]) -> None:
    """That there is something to plot."""
    if plots and not (scene.probes or any(monitor.plots for monitor in scene.monitors)):
        raise WavelabError(
            "the scene has nothing to plot",
            where=str(plots[0]),
            remedy='Add a [[probes]] table, or [[monitors]] such as kind = "flux", to the scene.',
        )


def _check_sound(scene: Scene, options: BatchOptions) -> None:
    """That the probes to be heard are there."""
    names = [probe.name for probe in scene.probes]
    for name in options.probe:
        if options.wav is None:
            raise WavelabError(
                f'probe "{name}" is to be heard, but in no file', remedy="Name one: --wav FILE.wav"
            )
        require_one_of(name, names, ("probes",), "the probe to be heard")
