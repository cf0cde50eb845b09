"""Recording a movie: what is asked for, and what is said about it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from wavelab.app.canvas.overlay.scene_look import SceneLook
from wavelab.app.controllers.view_controller import ViewController
from wavelab.app.files.outbox import Outbox
from wavelab.app.session.session import Session
from wavelab.app.window.window import Window
from wavelab.output.movies.formats import even_size
from wavelab.output.movies.overlay import MovieOverlay
from wavelab.output.scene_drawing import SceneDrawing
from wavelab.simulation.movies.movie_request import MovieRequest
from wavelab.simulation.solver.commands import Play, SetMovieOverlay, StartMovie, StopMovie

FILTERS = "MP4 movie (*.mp4);;WebM movie (*.webm);;GIF animation (*.gif)"
FPS = 30
#: Longer edge of the picture; larger costs the solver more time than the movie is worth.
LARGEST = 1280


class MovieControl:
    """Starts and stops the recording.

    Its pictures have the lines, letters and scale bar of the canvas over them, as far as the canvas
    shows them.
    """

    def __init__(
        self, session: Session, views: ViewController, outbox: Outbox, window: Window
    ) -> None:
        self._session = session
        self._views = views
        self._outbox = outbox
        self._window = window
        self._first: SceneLook | None = None  #: how the scene was drawn when the movie began
        self._size = (1, 1)
        self._drawn: SceneDrawing | None = None  #: what is over the pictures now

    def toggle(self) -> None:
        """Ask for a file and begin, or finish the movie under way."""
        solver = self._session.solver
        if solver.recording is not None:
            solver.send(StopMovie())
        elif path := self._outbox.choose("Record movie", "wave.mp4", FILTERS):
            self._start(path)
        # The click has changed it without asking.
        self._window.faces.show_recording(solver.recording is not None)

    def _start(self, path: Path) -> None:
        solver, request = self._session.solver, self._request(path)
        self._size = request.width, request.height
        # Nothing is drawn over the height view.
        look = self._window.canvas.look if request.relief is None else None
        self._first, self._drawn = look, look.drawing if look is not None else None
        solver.send(StartMovie(request, self._overlay(look)))
        if not solver.playing:
            solver.send(Play())

    def scene_changed(self) -> None:
        """The lines over the movie follow the scene; the part in view, the colours and the size
        stay those of its first picture."""
        first, look = self._first, self._window.canvas.look
        if self._session.solver.recording is None or first is None:
            return
        if look.drawing is not self._drawn:
            self._drawn = look.drawing
            now = replace(first, drawing=look.drawing, measured=look.measured)
            self._session.solver.send(SetMovieOverlay(self._overlay(now)))

    def _overlay(self, look: SceneLook | None) -> MovieOverlay | None:
        return MovieOverlay.of(look.on_picture(*self._size)) if look is not None else None

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
