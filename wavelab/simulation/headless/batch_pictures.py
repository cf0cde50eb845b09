"""The picture and the movie of a headless run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wavelab.numerics.fields.sampling import Extent, PixelSampler, fit_extent
from wavelab.output import picture
from wavelab.output.arrows import draw_arrows
from wavelab.output.movies.formats import even_size
from wavelab.output.palette import colorize, surroundings
from wavelab.output.relief import Camera, still
from wavelab.physics.problem import Problem
from wavelab.scene.model.view import View
from wavelab.scene.monitors import FieldMonitor
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.movies.film import Film, Parts
from wavelab.simulation.movies.movie_recorder import AutoLimit
from wavelab.simulation.movies.movie_request import MovieRequest
from wavelab.simulation.views.arrows import arrows, points_in_picture
from wavelab.simulation.views.monitored import chosen_monitor, map_values
from wavelab.simulation.views.views import fixed_limit, shown_decades, suited_palette, view
from wavelab.timeline import Timeline

#: Longer side of pictures when no size is asked for.
_PIXELS = 1280
#: Pictures in a movie when no time per picture is asked for: ten seconds of it.
_MOVIE_PICTURES = 300
#: What swings, and pictures in one period of it.
_STEADY, _SWING_PICTURES = "steady", 30


@contextmanager
def movie_of(
    simulation: Simulation,
    options: BatchOptions,
    timeline: Timeline,
    look: View | None = None,
    *,
    parts: Parts | None = None,
) -> Iterator[Film | None]:
    """The movie of the run if one was asked for; finished even when the run fails, so that it
    shows how.

    Parameters
    ----------
    look : in place of the scene's own.
    """
    if options.movie is None:
        yield None
        return
    scene = simulation.problem.scene
    look = look or scene.view
    width, height = even_size(*picture_size(simulation.problem, look, options.size))
    film = Film(
        MovieRequest(
            options.movie,
            width,
            height,
            options.time_per_frame or max(scene.solver.until / _MOVIE_PICTURES, simulation.dt),
            options.fps,
            look.quantity,
            look.palette,
            look.limit,
            arrows=look.arrows,
            decades=look.decades,
            relief=look.relief,
            extent=extent_in(simulation.problem, look, width, height),
        ),
        simulation,
        timeline,
        parts=parts,
    )
    try:
        yield film
    finally:
        with timeline.span("finish movie"):
            film.recorder.close()


def write_picture(path: Path, simulation: Simulation, options: BatchOptions) -> None:
    """The scene's view at the moment, at the size that was asked for."""
    look = simulation.problem.scene.view
    picture.write_png(path, picture_pixels(simulation, look, options.size))


def write_swing(path: Path, simulation: Simulation, options: BatchOptions) -> None:
    """A movie of one period of what a monitor of fields has found: Re[X exp(-i w t)], which can be
    played over and over.

    Raises
    ------
    OutputError : the movie cannot be written.
    """
    from wavelab.output.movies.movie import MovieWriter  # loads FFmpeg, which other runs do without

    look, problem = simulation.problem.scene.view, simulation.problem
    found = chosen_monitor(simulation, FieldMonitor)
    assert found is not None  # checked before the run
    discretized, number = found
    frequency = discretized.transforms[0].frequencies[number]
    width, height = even_size(*picture_size(problem, look, options.size))
    d = problem.discretization.seen
    sampler = PixelSampler(d, extent_in(problem, look, width, height), width, height)
    palette = suited_palette(_STEADY, look.palette)
    quarters = [
        map_values(simulation, FieldMonitor, _STEADY, quarter / (4 * frequency))
        for quarter in range(2)
    ]
    cosine, sine = (sampler.sample(values[:: problem.discretization.copies]) for values in quarters)
    limit = look.limit if look.quantity == _STEADY else None
    limit = limit or AutoLimit().follow(np.hypot(cosine, sine))
    with MovieWriter(path, width, height, options.fps) as movie:
        for k in range(_SWING_PICTURES):
            turn = 2 * np.pi * k / _SWING_PICTURES
            now = (np.cos(turn) * cosine + np.sin(turn) * sine).astype(np.float32)
            movie.add(colorize(now, palette, limit, surroundings(palette)))


def picture_pixels(
    simulation: Simulation, look: View, size: tuple[int, int] | None
) -> NDArray[np.uint8]:
    """(height, width, 3) what is seen at the moment.

    Parameters
    ----------
    size : (width, height); None for the shape of the domain.
    """
    problem = simulation.problem
    width, height = picture_size(problem, look, size)
    d = problem.discretization.seen
    values, outside = view(simulation, look.quantity), surroundings(look.palette)
    decades = shown_decades(look.quantity, look.decades)

    def limit(sampled: NDArray[np.float32]) -> float:
        return fixed_limit(look.quantity, look.limit) or AutoLimit().follow(sampled)

    if look.relief is not None:
        rgb = still(
            d, values, Camera(*look.relief), (width, height),
            look.palette, limit, outside, decades,
        )  # fmt: skip
    else:
        sampler = PixelSampler(d, extent_in(problem, look, width, height), width, height)
        sampled = sampler.sample(values)
        rgb = colorize(sampled, look.palette, limit(sampled), outside, decades)
        if look.arrows != "none":
            there = arrows(simulation, look.arrows, points_in_picture(d, sampler.extent, width))
            draw_arrows(rgb, there, AutoLimit().longest(there), sampler.extent, look.palette)
    return rgb


def picture_size(problem: Problem, look: View, size: tuple[int, int] | None) -> tuple[int, int]:
    if size is not None:
        return size
    part = look.part or problem.discretization.mesh.vertices
    across, up = np.ptp(part, axis=0)
    scale = _PIXELS / max(across, up)
    return max(2, round(across * scale)), max(2, round(up * scale))


def extent_in(problem: Problem, look: View, width: int, height: int) -> Extent:
    """All of the domain, or the part that is looked at, widened to the shape of the picture."""
    part = look.part
    if not part:
        return fit_extent(problem.discretization, width, height)
    low, high = np.array(part)
    half = float(((high - low) / (width, height)).max()) * np.array((width, height)) / 2
    (x0, y0), (x1, y1) = ((low + high) / 2 - half).tolist(), ((low + high) / 2 + half).tolist()
    return x0, y0, x1, y1
