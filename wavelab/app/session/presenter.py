"""What is on show: the state of the program as calls on the canvas, and only those that change
something."""

from __future__ import annotations

import math

from wavelab.app.canvas.canvas import Canvas
from wavelab.app.session.automatic_range import AutomaticRange
from wavelab.app.session.preparation import Prepared
from wavelab.app.session.view_state import ViewState
from wavelab.numerics.fields.discretization import Discretization
from wavelab.output.arrows import Arrows
from wavelab.scene.model.scene import Scene
from wavelab.simulation.messages.frames import Frame


def ping_height(quantity: str, limit: float) -> float:
    """Peak of Ez of a ping that reaches full colour where ``limit`` of ``quantity`` has it.

    Never less than 1, so that a ping into a field that has died away starts it anew.
    """
    if quantity == "energy":  # that of Ez alone in vacuum is Ez^2 / 2
        return max(1.0, math.sqrt(2 * limit))
    return max(1.0, limit) if quantity in ("ez", "hx", "hy", "h") else 1.0


class Presenter:
    """Shows scenes, frames and view settings on a canvas.

    Attributes
    ----------
    frame : the newest on show.
    limit : the value at full colour now.
    generation : of the problem on show; frames of any other are dropped.
    arrows : those over the field, with the size of the vector that has the longest one.
    """

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._range, self._arrow_range = AutomaticRange(), AutomaticRange()
        self._scene: Scene | None = None
        self._discretization: Discretization | None = None
        self._coming: tuple[Prepared, bool] | None = None  #: until its first frame is there
        self._state: ViewState | None = None
        self._last_frame_at: float | None = None
        self.frame: Frame | None = None
        self.limit = 1.0
        self.generation: int | None = None
        self.arrows: tuple[Arrows, float] | None = None

    @property
    def now(self) -> float:
        """Simulated time of what is on show."""
        return self.frame.time if self.frame is not None else 0.0

    @property
    def standing_out(self) -> float:
        """Peak of Ez of a ping that reaches full colour now, at least 1."""
        return 1.0 if self._state is None else ping_height(self._state.quantity, self.limit)

    def show_scene(self, scene: Scene) -> None:
        """Walls, materials, sources and probes drawn over the field."""
        if scene != self._scene:
            self._scene = scene
            if self._coming is None:  # or else along with the mesh
                self._canvas.set_scene(scene)

    def show_problem(self, prepared: Prepared, *, first: bool) -> None:
        """Another mesh, or other numbers on the one on show; ``first`` begins another experiment,
        so the view fits it anew.

        The last picture stays until there is a frame to be seen on that mesh.
        """
        self.generation = prepared.generation
        shown, self._discretization = self._discretization, prepared.problem.discretization.seen
        if shown is self._discretization and not first:
            self.show_scene(prepared.scene)
            return
        self._scene = prepared.scene
        before = self._coming is not None and self._coming[1]
        self._coming = (prepared, first or before)
        if first:
            self.restart_range()
        if self.frame is None:
            self._show_coming()

    def _show_coming(self) -> None:
        """The mesh that has been waited for, with what is drawn over it."""
        if self._coming is None:
            return
        (prepared, first), self._coming = self._coming, None
        self._canvas.set_discretization(prepared.problem.discretization.seen, self._scene)
        self._take_arrows_away()
        if first:
            self._canvas.set_reading(())
            self._canvas.fit()
            if prepared.scene.view.part:
                self._canvas.show_part(prepared.scene.view.part)

    def restart_range(self) -> None:
        self._range.reset()
        self._arrow_range.reset()

    def show_view(self, state: ViewState) -> None:
        before, self._state = self._state, state
        if before is None or before.palette != state.palette:
            self._canvas.set_palette(state.palette)
        if (before is not None and before.shown.of_mesh) != state.shown.of_mesh:
            self._canvas.set_bright(state.shown.of_mesh)
        if (before is None or before.shown.of_wave) != state.shown.of_wave:
            self._canvas.set_shaded(state.shown.of_wave)
        if (before.shown_decades if before is not None else None) != state.shown_decades:
            self._canvas.set_decades(state.shown_decades)
        self._range.robust = state.robust
        if before is None or (before.quantity, before.robust) != (state.quantity, state.robust):
            self._range.reset()
        if before is not None and before.arrows != state.arrows:
            self._arrow_range.reset()
            self._take_arrows_away()
        if state.full_colour is not None:
            self._set_limit(state.full_colour)
        elif before is not None and before.robust != state.robust and self.frame is not None:
            # A wave at rest sends no other picture.
            self._set_limit(self._range.update(self.frame.values, 0.0))

    def show_frame(self, frame: Frame, now: float) -> bool:
        """Draw ``frame``, which arrived at ``now`` seconds; False if it is out of date."""
        state = self._state
        if state is None or frame.generation != self.generation:
            return False
        if frame.quantity != state.quantity:
            return False
        self._show_coming()
        last, self._last_frame_at = self._last_frame_at, now
        seconds = 0.0 if last is None else now - last
        automatic = self._range.update(frame.values, seconds)
        self._set_limit(automatic if state.full_colour is None else state.full_colour)
        self._canvas.set_values(frame.values)
        if frame.arrows is not None and frame.arrows.kind == state.arrows:
            longest = self._arrow_range.update(frame.arrows.sizes(), seconds)
            self.arrows = (frame.arrows, longest)
            self._canvas.set_arrows(*self.arrows)
        self.frame = frame
        return True

    def _take_arrows_away(self) -> None:
        if self.arrows is not None:
            self.arrows = None
            self._canvas.set_arrows(None, 0.0)

    def _set_limit(self, limit: float) -> None:
        if limit != self.limit:
            self.limit = limit
            self._canvas.set_limit(limit)
