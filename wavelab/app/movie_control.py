"""Recording a movie: what is asked for, and what is said about it."""

from __future__ import annotations

from pathlib import Path

from wavelab.app.outbox import Outbox
from wavelab.app.session import Session
from wavelab.app.view_desk import ViewDesk
from wavelab.app.window import Window
from wavelab.output.movie import even_size
from wavelab.simulation.commands import MovieRequest

FILTERS = "MP4 movie (*.mp4);;WebM movie (*.webm);;GIF animation (*.gif)"
FPS = 30
#: Longer edge of the picture; larger costs the solver more time than the movie is worth.
LARGEST = 1280


class MovieControl:
    """Starts and stops the recording."""

    def __init__(self, session: Session, views: ViewDesk, outbox: Outbox, window: Window) -> None:
        self._session = session
        self._views = views
        self._outbox = outbox
        self._window = window

    def toggle(self) -> None:
        """Ask for a file and begin, or finish the movie under way."""
        solver = self._session.solver
        if solver.recording is not None:
            solver.stop_movie()
            return
        path = self._outbox.choose("Record movie", "wave.mp4", FILTERS)
        if path is not None:
            solver.start_movie(self._request(path))
            if not solver.playing:
                solver.play()

    def _request(self, path: Path) -> MovieRequest:
        view, running = self._views.state, self._session.running
        usual = running.usual_speed if running is not None else 1.0
        speed = self._session.solver.speed or usual
        width, height = self._window.canvas_size()
        shrink = min(1.0, LARGEST / max(width, height, 1))
        width, height = even_size(max(16, round(width * shrink)), max(16, round(height * shrink)))
        return MovieRequest(
            path,
            width,
            height,
            time_per_frame=speed / FPS,
            fps=FPS,
            quantity=view.quantity,
            palette=view.palette,
            limit=view.limit,
            extent=self._window.canvas.view.visible(),
            arrows=view.arrows,
            decades=view.decades,
            relief=view.relief,
        )
