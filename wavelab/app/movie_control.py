"""Recording a movie: what is asked for, and what is said about it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from wavelab.app.dialogs import Dialogs
from wavelab.app.remote import Remote
from wavelab.app.view_state import ViewState
from wavelab.output.movie import even_size
from wavelab.simulation.commands import MovieRequest

FILTERS = "MP4 movie (*.mp4);;WebM movie (*.webm);;GIF animation (*.gif)"
FPS = 30
#: Longer edge of the picture; larger costs the solver more time than the movie is worth.
LARGEST = 1280


class MovieControl:
    """Starts and stops the recording.

    Parameters
    ----------
    view : how the field is shown now.
    extent : part of the scene in view now, (x0, y0, x1, y1).
    size : of the canvas in device pixels.
    speed : simulated time per second of the movie.
    folder : where files go first.
    """

    def __init__(
        self,
        solver: Remote,
        dialogs: Dialogs,
        *,
        view: Callable[[], ViewState],
        extent: Callable[[], tuple[float, float, float, float]],
        size: Callable[[], tuple[int, int]],
        speed: Callable[[], float],
        folder: Callable[[], Path],
    ) -> None:
        self._solver = solver
        self._dialogs = dialogs
        self._view = view
        self._extent = extent
        self._size = size
        self._speed = speed
        self._folder = folder

    def toggle(self) -> None:
        """Ask for a file and begin, or finish the movie under way."""
        if self._solver.recording is not None:
            self._solver.stop_movie()
            return
        path = self._dialogs.save_file("Record movie", self._folder() / "wave.mp4", FILTERS)
        if path is not None:
            self._solver.start_movie(self._request(path))
            if not self._solver.playing:
                self._solver.play()

    def _request(self, path: Path) -> MovieRequest:
        view = self._view()
        width, height = self._size()
        shrink = min(1.0, LARGEST / max(width, height, 1))
        width, height = even_size(max(16, round(width * shrink)), max(16, round(height * shrink)))
        return MovieRequest(
            path,
            width,
            height,
            time_per_frame=self._speed() / FPS,
            fps=FPS,
            quantity=view.quantity,
            palette=view.palette,
            limit=view.limit,
            extent=self._extent(),
            arrows=view.arrows,
            decades=view.decades,
            relief=view.relief,
        )
