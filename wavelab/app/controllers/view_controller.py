"""Between how the field is shown, those who wish to change that, and the solver."""

from __future__ import annotations

from dataclasses import replace

from wavelab.app.base.qt import QObject, Signal
from wavelab.app.canvas.canvas import Canvas
from wavelab.app.canvas.overlay.ink import Ink
from wavelab.app.canvas.relief_view import HINT, ReliefView
from wavelab.app.canvas.view_transform import ViewTransform
from wavelab.app.controllers.editor import Editor
from wavelab.app.edits.monitor_edits import add_monitor_for
from wavelab.app.panels.field_panel import scale_tip
from wavelab.app.session.field_picture import Shown
from wavelab.app.session.presenter import Presenter
from wavelab.app.session.session import Session
from wavelab.app.session.view_state import ViewState
from wavelab.app.window.window import Window
from wavelab.errors import WavelabError
from wavelab.output.arrows import SCREEN_SPACING
from wavelab.output.relief import Camera
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.view import View
from wavelab.scene.systems import system_of
from wavelab.scene.view.quantities import can_show, label_of, offered
from wavelab.simulation.solver.commands import SetQuantity, ShowArrows, ShowMap

#: What to do where the scene does not say for which frequency.
NO_FREQUENCY = "Choose the probe tool (B), there amplitude map, and type a frequency; then click."
#: Where one looks at the height view from first: azimuth and elevation.
FIRST = (Camera().azimuth, Camera().elevation)
#: Said to a click in the height view, which no tool gets.
IN_HEIGHT_VIEW = "This is the height view: drag to turn it. Tools work in the flat view."


class ViewController(QObject):
    """Keeps how the field is shown, and says what is missing where something cannot be.

    Emits ``changed()`` when it is shown another way.

    Attributes
    ----------
    state : how the field is shown.
    """

    changed = Signal()

    def __init__(
        self, session: Session, editor: Editor, presenter: Presenter, window: Window
    ) -> None:
        super().__init__()
        self._session = session
        self._editor = editor
        self._window = window
        self._presenter = presenter
        self._asked: str | None = None
        self._refused = ""
        self._without_arrows = False
        self._asked_arrows: tuple[str, int, ViewTransform] | None = None
        self._flat = True
        self._robust = True
        self.state = self.of_scene(session.scene)
        window.field_panel.wished.connect(self.wish)
        window.monitor_panel.map_wished.connect(self.show_map)
        window.relief.turned.connect(self._turned)
        window.relief.clicked.connect(self._clicked_in_relief)
        editor.view_changed.connect(self._follow_range)
        self.show(self.state)

    def of_scene(self, scene: Scene) -> ViewState:
        """How a scene wishes to be shown, in the present theme, with the range that was chosen."""
        return ViewState.of_scene(scene.view, self._window.theme.name, robust=self._robust)

    def as_view(self) -> View:
        """What a saved scene stores."""
        return replace(self.state.as_view(), part=self._window.canvas.part)

    def theme_changed(self) -> None:
        """Quiet is light where the window is light, unless a palette of its own was chosen."""
        self.show(self.state.in_theme(self._window.theme.name))

    def rename(self) -> None:
        """Fields are called something else now."""
        self._window.legend.show_state(self.state)

    def show(self, view: ViewState) -> None:
        if view.quantity != self._asked:
            self._asked = view.quantity
            self._session.solver.send(SetQuantity(view.quantity))
        self.state, self._robust = view, view.robust
        without = view.relief is not None and view.arrows != "none"
        if without and not self._without_arrows:
            self._window.message.inform("Arrows are drawn in the flat view, which J goes back to.")
        self._without_arrows = without
        self._presenter.show_view(view)
        self._show_relief(view.relief)
        self._window.tool_panel.wall.show_legend(Ink.for_palette(view.palette))
        self._window.field_panel.show_state(view)
        self._window.legend.show_state(view)
        self._window.monitor_panel.set_palette(view.diverging)
        self._window.actions_by_id[f"show.{view.quantity}"].setChecked(True)
        self._window.actions_by_id["arrows"].setChecked(view.arrows != "none")
        self._window.actions_by_id["logarithmic"].setChecked(view.shown_decades is not None)
        linear = bool(view.shown.linear)
        why_not = scale_tip(view) if linear else ""
        self._window.faces.show_offered("logarithmic", not linear, why_not)
        self.changed.emit()

    def shown(self) -> Shown | None:
        """What the canvas shows; None while there is nothing."""
        running, frame = self._session.running, self._presenter.frame
        if running is None or frame is None or frame.generation != running.generation:
            return None
        return Shown(
            running.problem.discretization.seen,
            frame.values,
            self.state,
            self._presenter.limit,
            self._window.canvas.view.visible(),
            self._presenter.arrows,
        )

    @property
    def hint(self) -> str:
        """What can be done with the picture where no tool has it."""
        return "" if self.state.relief is None else HINT

    @property
    def shown_canvas(self) -> Canvas | ReliefView:
        """What is zoomed: the height view where it covers the canvas."""
        return self._window.canvas if self.state.relief is None else self._window.relief

    def follow(self) -> None:
        """Arrows are at a lattice of places that follows the part in view, and what runs."""
        running, view = self._session.running, self._window.canvas.view
        kind = self.state.arrows if self.state.relief is None else "none"
        if kind == "none" or running is None:
            if self._asked_arrows is not None:
                self._asked_arrows = None
                self._session.solver.send(ShowArrows("none", None, 0))
            return
        wished = (kind, running.generation, view)
        if wished != self._asked_arrows:
            self._asked_arrows = wished
            points = running.reader.arrow_points(view.visible(), SCREEN_SPACING * view.pixel)
            self._session.solver.send(ShowArrows(kind, points, running.generation))

    def toggle_relief(self) -> None:
        """The height view, or the flat one."""
        self.show(replace(self.state, relief=FIRST if self.state.relief is None else None))

    def _show_relief(self, angles: tuple[float, float] | None) -> None:
        """The height view from there, or the flat view."""
        relief = self._window.relief
        self._window.actions_by_id["relief"].setChecked(angles is not None)
        if angles is not None and (relief.camera.azimuth, relief.camera.elevation) != angles:
            relief.look(*angles)
        if self._flat == (angles is None):
            return
        self._flat = angles is None
        relief.setVisible(not self._flat)
        if self._flat:
            self._window.message.withdraw(IN_HEIGHT_VIEW)
        # No tool has the pointer any more, and no place is below it.
        self._window.canvas.left.emit()
        self._window.canvas.refresh_tool()

    def _turned(self, camera: Camera) -> None:
        self.state = replace(self.state, relief=(camera.azimuth, camera.elevation))
        self.changed.emit()

    def _clicked_in_relief(self) -> None:
        self._window.message.inform(IN_HEIGHT_VIEW, buttons={"Flat view": self.toggle_relief})

    def toggle_scale(self) -> None:
        """Colours by powers of ten, or in proportion."""
        self.show(self.state.toggled_scale())

    def toggle_arrows(self) -> None:
        """The energy flow as it is, or no arrows."""
        self._forgive()
        self.show(replace(self.state, arrows="power" if self.state.arrows == "none" else "none"))

    def show_map(self, quantity: str, monitor: str, frequency: int) -> None:
        """What a monitor has found, at one of its frequencies."""
        self._session.solver.send(ShowMap(monitor, frequency))
        self._presenter.restart_range()
        self.show_quantity(quantity)

    def show_quantity(self, quantity: str) -> None:
        self.wish(self.state.with_quantity(quantity))

    def wish(self, view: ViewState) -> None:
        """Show it if the scene has what it needs, else say what is missing."""
        monitors = self._session.scene.monitors
        missing = next((w for w in (view.quantity, view.arrows) if not can_show(w, monitors)), None)
        if missing is None:
            self._forgive()
            self.show(view)
            return
        text = _missing_text(missing)
        if add_monitor_for(self._session.scene, missing) is None:
            self._refused = text
            self._editor.complain(WavelabError(text, remedy=NO_FREQUENCY))
        else:
            self._refused = f"{text}."
            self._window.message.inform(
                self._refused, buttons={"Measure it": lambda: self._measure(missing, view)}
            )
        self.show(self.state)

    def _forgive(self) -> None:
        """Take back what was missing: something else is shown now."""
        self._window.message.withdraw(self._refused)
        self._refused = ""

    def _follow_range(self, before: View, after: View) -> None:
        """A range that an edit frees comes back when it is undone, with what it was fixed for."""
        if after.limit == before.limit:
            return
        if after.limit is None:
            self.show(replace(self.state, limit=None, others={}))
        else:
            self.show(self.state.with_limit_of(after.quantity, after.limit))

    def scene_changed(self) -> None:
        """Something else is shown where a monitor went that this view needs, or where other waves
        have no such quantity."""
        scene = self._session.scene
        system, monitors = system_of(scene), scene.monitors
        shown, arrows = self.state.quantity, self.state.arrows
        if shown not in offered(system) or not can_show(shown, monitors):
            self.show(self.state.with_quantity("ez"))
        if not can_show(arrows, monitors):
            self.show(replace(self.state, arrows="none"))

    def _measure(self, missing: str, view: ViewState) -> None:
        """Add a monitor to the scene as it is now, and show what it finds from now on."""
        self._window.message.clear()
        if not can_show(missing, self._session.scene.monitors):
            edit = add_monitor_for(self._session.scene, missing)
            if edit is None:
                self._editor.complain(WavelabError(_missing_text(missing), remedy=NO_FREQUENCY))
                return
            self._editor.apply(edit)
        self.show(view)


def _missing_text(quantity: str) -> str:
    label = label_of(quantity)
    return f"No monitor measures the {label[:1].lower()}{label[1:]}"
