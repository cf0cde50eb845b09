"""Tells the solver where the window has arrows: at a lattice of places that follows the view."""

from __future__ import annotations

from wavelab.app.canvas.canvas import Canvas
from wavelab.app.canvas.view_transform import ViewTransform
from wavelab.app.session.session import Session
from wavelab.output.arrows import SCREEN_SPACING
from wavelab.simulation.solver.commands import ShowArrows


class ArrowController:
    """Asks for arrows at other places when the view or the mesh is another."""

    def __init__(self, session: Session, canvas: Canvas) -> None:
        self._session, self._canvas = session, canvas
        self._asked: tuple[str, int, ViewTransform] | None = None

    def follow(self, kind: str) -> None:
        """Called with the kind of arrows when that, the view or what runs is another."""
        running, view = self._session.running, self._canvas.view
        if kind == "none" or running is None:
            if self._asked is not None:
                self._asked = None
                self._session.solver.send(ShowArrows("none", None, 0))
            return
        wished = (kind, running.generation, view)
        if wished != self._asked:
            self._asked = wished
            points = running.reader.arrow_points(view.visible(), SCREEN_SPACING * view.pixel)
            self._session.solver.send(ShowArrows(kind, points, running.generation))
