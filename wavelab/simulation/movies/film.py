"""A movie of a simulation: pictures at the steps nearest to their simulated times.

Where a step takes longer than from one picture to the next, they are half a step behind their
times, on the straight line between two steps: each would stand still else until the next.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from wavelab.output.arrows import Arrows
from wavelab.output.movies.overlay import MovieOverlay
from wavelab.simulation.core.frame_clock import FrameClock
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.movies.movie_recorder import AutoLimit, MovieRecorder, Writer
from wavelab.simulation.movies.movie_request import MovieRequest
from wavelab.simulation.views.arrows import ArrowPoints, arrows, points_in_picture
from wavelab.simulation.views.between import arrows_between, values_between
from wavelab.simulation.views.views import Values, fixed_limit, shown_decades, view
from wavelab.timeline import NO_TIMELINE, Timeline

if TYPE_CHECKING:  # FFmpeg is large, and most runs make no movie
    from wavelab.output.movies.parts import PartedMovie


@dataclass(frozen=True, eq=False)
class FilmMoment:
    """What was seen after a step: (n_elements, nodes_per_element) values, and arrows."""

    time: float
    values: Values
    arrows: Arrows | None


@dataclass(frozen=True, eq=False)
class FilmMark:
    """How far a film had come that is written in parts: pictures that were due, frames of each
    part, the value at full colour, and what was seen last, where the next pictures depend on it."""

    taken: int
    frames: tuple[int, ...]
    limit: AutoLimit
    last: FilmMoment | None


@dataclass(frozen=True)
class Parts:
    """That a film is written in parts, which another process can go on with; ``begun``: how far
    such a process has come before."""

    begun: FilmMark | None = None


class Film:
    """Records one simulation; begins with a picture of the present moment, if it begins.

    Parameters
    ----------
    parts : how it is written if another process may go on with it.

    Attributes
    ----------
    path : of the file.
    recorder : makes it, and is to be closed, or aborted to leave none.

    Raises
    ------
    OutputError : from every method, when the movie cannot be written.
    Exception : what else goes wrong where pictures are taken or made; nothing is left behind of a
        recording that cannot begin.
    """

    def __init__(
        self,
        request: MovieRequest,
        simulation: Simulation,
        timeline: Timeline = NO_TIMELINE,
        overlay: MovieOverlay | None = None,
        *,
        parts: Parts | None = None,
    ) -> None:
        request = replace(
            request,
            limit=fixed_limit(request.quantity, request.limit),
            decades=shown_decades(request.quantity, request.decades),
        )
        self.path = request.path
        self._parts: PartedMovie | None = None
        writer: Callable[[Path, int, int, int], Writer] | None = None
        if parts is not None:
            writer = partial(self._parted, parts)
        seen = simulation.problem.discretization.seen
        self.recorder = MovieRecorder(request, seen, timeline, writer)
        self.recorder.overlay = overlay
        self._timeline = timeline
        try:
            self._points = self._arrow_points(simulation)
            self._clock = FrameClock(simulation.time, request.time_per_frame)
            self._last: FilmMoment | None = None
            if parts is None or parts.begun is None:
                self.record(simulation)
            else:
                self._go_on(parts.begun)
        except BaseException:
            self.recorder.abort()
            raise

    def steps_until_picture(self, simulation: Simulation) -> int:
        """Steps that may be taken before the next picture is due."""
        return self._clock.steps_until(simulation.time, simulation.dt)

    def record(self, simulation: Simulation) -> bool:
        """Take the pictures that are due now; whether there were any."""
        due = self._clock.due(simulation.time, simulation.dt)
        if due:
            now = self._moment(simulation)
            slow = simulation.dt > self.recorder.request.time_per_frame
            with self._timeline.span("hand over pictures"):  # waits where encoding is slower
                for ahead in range(due):
                    self.recorder.add(*self._picture(ahead, now, simulation.dt))
            self._clock.take(due)
            self._last = now if slow else None
        return due > 0

    def _moment(self, simulation: Simulation) -> FilmMoment:
        """What there is to be seen now."""
        request, there = self.recorder.request, None
        values = view(simulation, request.quantity)
        if self._points is not None:
            there = arrows(simulation, request.arrows, self._points)
        return FilmMoment(simulation.time, values, there)

    def _picture(self, ahead: int, now: FilmMoment, dt: float) -> tuple[Values, Arrows | None]:
        """The values and arrows of a picture that is due now."""
        last = self._last
        if last is None or last.time >= now.time:
            return now.values, now.arrows
        part = (self._clock.time_of(ahead) - dt / 2 - last.time) / (now.time - last.time)
        part = min(max(part, 0.0), 1.0)
        values = values_between(last.values, now.values, part)
        return values, arrows_between(last.arrows, now.arrows, part)

    def mark(self) -> FilmMark:
        """How far it has come, for another process; what is encoded up to now is safe then."""
        assert self._parts is not None
        self.recorder.settle()
        self._parts.cut()
        frames = tuple(n for _, n in self._parts.parts)
        return FilmMark(self._clock.taken, frames, copy(self.recorder.limit), self._last)

    def remove_parts(self) -> None:
        """Nobody goes on from a mark any more."""
        if self._parts is not None:
            self._parts.remove_parts()

    def _parted(self, parts: Parts, path: Path, width: int, height: int, fps: int) -> PartedMovie:
        from wavelab.output.movies.parts import PartedMovie

        there = parts.begun.frames if parts.begun is not None else ()
        self._parts = PartedMovie(path, width, height, fps, there)
        return self._parts

    def _go_on(self, mark: FilmMark) -> None:
        self._clock.taken, self.recorder.frames = mark.taken, sum(mark.frames)
        self.recorder.limit, self._last = copy(mark.limit), mark.last

    def clock_jumped(self, simulation: Simulation) -> None:
        """Go on after a reset."""
        self._last = None
        self._clock.rewind(simulation.time)

    def problem_changed(self, simulation: Simulation) -> None:
        """Go on with another mesh."""
        self._last = None
        self.recorder.discretization = simulation.problem.discretization.seen
        self._points = self._arrow_points(simulation)

    def _arrow_points(self, simulation: Simulation) -> ArrowPoints | None:
        """Where the pictures have arrows, if they are to have any."""
        request = self.recorder.request
        if request.arrows == "none" or request.relief is not None:
            return None
        d = simulation.problem.discretization.seen
        return points_in_picture(d, self.recorder.extent, request.width)
