"""Between how the field is shown, those who wish to change that, and the solver."""

from __future__ import annotations

from dataclasses import replace

from wavelab.app.base.qt import QObject, Signal
from wavelab.app.canvas.canvas import Canvas
from wavelab.app.canvas.overlay.ink import Ink
from wavelab.app.canvas.relief_view import HINT, ReliefView
from wavelab.app.controllers.arrow_controller import ArrowController
from wavelab.app.controllers.editor import Editor
from wavelab.app.controllers.relief_controller import FIRST, Angles, ReliefController
from wavelab.app.edits.monitor_edits import add_monitor_for
from wavelab.app.panels.field_panel import scale_tip
from wavelab.app.session.field_picture import Shown
from wavelab.app.session.presenter import Presenter
from wavelab.app.session.session import Session
from wavelab.app.session.view_state import ViewState
from wavelab.app.window.window import Window
from wavelab.errors import WavelabError
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.view import View
from wavelab.scene.view.quantities import can_show, label_of
from wavelab.simulation.solver.commands import SetQuantity, ShowMap

#: What to do where the scene does not say for which frequency.
NO_FREQUENCY = "Choose the probe tool (B), there amplitude map, and type a frequency; then click."


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
        self._arrows = ArrowController(session, window.canvas)
        self._relief = ReliefController(window, turned=self._turned, flatten=self.toggle_relief)
        self.state = self.of_scene(session.scene)
        window.field_panel.wished.connect(self.wish)
        window.monitor_panel.map_wished.connect(self.show_map)
        editor.view_changed.connect(self._follow_range)
        self.show(self.state)

    def of_scene(self, scene: Scene) -> ViewState:
        """How a scene wishes to be shown, in the present theme."""
        return ViewState.of_scene(scene.view, self._window.theme.name)

    def as_view(self) -> View:
        """What a saved scene stores."""
        return replace(self.state.as_view(), part=self._window.canvas.part)

    def theme_changed(self) -> None:
        """Quiet is light where the window is light, unless a palette of its own was chosen."""
        self.show(self.state.in_theme(self._window.theme.name))

    def show(self, view: ViewState) -> None:
        if view.quantity != self._asked:
            self._asked = view.quantity
            self._session.solver.send(SetQuantity(view.quantity))
        self.state = view
        without = view.relief is not None and view.arrows != "none"
        if without and not self._without_arrows:
            self._window.message.inform("Arrows are drawn in the flat view, which J goes back to.")
        self._without_arrows = without
        self._presenter.show_view(view)
        self._relief.show(view.relief)
        self._window.tool_panel.wall.show_legend(Ink.for_palette(view.palette))
        self._window.field_panel.show_state(view)
        self._window.monitor_panel.set_palette(view.diverging)
        self._window.actions_by_id[f"show.{view.quantity}"].setChecked(True)
        self._window.actions_by_id["arrows"].setChecked(view.arrows != "none")
        self._window.actions_by_id["logarithmic"].setChecked(view.shown_decades is not None)
        why_not = "" if view.takes_decades else scale_tip(view)
        self._window.faces.show_offered("logarithmic", view.takes_decades, why_not)
        self.changed.emit()

    def shown(self) -> Shown | None:
        """What the canvas shows; None while there is nothing."""
        running, frame = self._session.running, self._presenter.frame
        if running is None or frame is None or frame.generation != running.generation:
            return None
        return Shown(
            running.problem.discretization,
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
        """Arrows follow the part in view, and what runs."""
        self._arrows.follow(self.state.arrows if self.state.relief is None else "none")

    def toggle_relief(self) -> None:
        """The height view, or the flat one."""
        self.show(self.state.with_relief(FIRST if self.state.relief is None else None))

    def _turned(self, angles: Angles) -> None:
        self.state = self.state.with_relief(angles)
        self.changed.emit()

    def toggle_scale(self) -> None:
        """Colours by powers of ten, or in proportion."""
        self.show(self.state.toggled_scale())

    def toggle_arrows(self) -> None:
        """The energy flow as it is, or no arrows."""
        self._forgive()
        self.show(self.state.with_arrows("power" if self.state.arrows == "none" else "none"))

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
        label = label_of(missing)
        text = f"No monitor measures the {label[:1].lower()}{label[1:]}"
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
            self.show(self.state.with_free_limits())
        else:
            self.show(self.state.with_limit_of(after.quantity, after.limit))

    def scene_changed(self) -> None:
        """Something else is shown where a monitor went that this view needs."""
        monitors = self._session.scene.monitors
        if not can_show(self.state.quantity, monitors):
            self.show(self.state.with_quantity("ez"))
        if not can_show(self.state.arrows, monitors):
            self.show(self.state.with_arrows("none"))

    def _measure(self, missing: str, view: ViewState) -> None:
        """Add a monitor to the scene as it is now, and show what it finds from now on."""
        self._window.message.clear()
        if not can_show(missing, self._session.scene.monitors):
            edit = add_monitor_for(self._session.scene, missing)
            if edit is None:
                label = label_of(missing)
                text = f"No monitor measures the {label[:1].lower()}{label[1:]}"
                self._editor.complain(WavelabError(text, remedy=NO_FREQUENCY))
                return
            self._editor.apply(edit)
        self.show(view)
