"""Between the sliders of the parameters and the scene, in which the wave runs on meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wavelab.app.controllers.editor import Editor
from wavelab.app.controllers.parameters.parameter_rows import ParameterRows
from wavelab.app.controllers.parameters.sweeping import Sweeping
from wavelab.app.edits import item_edits
from wavelab.app.edits.edits import Edit
from wavelab.app.session.session import Session
from wavelab.app.window.window import Window
from wavelab.errors import WavelabError
from wavelab.scene.editing import properties
from wavelab.scene.editing.parameters import with_parameters
from wavelab.scene.model.parameter import Parameter
from wavelab.scene.model.scene import Scene


@dataclass(frozen=True)
class _Wish:
    """A value that waits until what is on its way runs; ``step``: it is one of a run of steps, and
    not only tried out."""

    name: str
    value: float
    step: bool


class ParameterController:
    """Tries out what a hand does with a slider, and makes one edit of it when it lets go.

    Attributes
    ----------
    panel : with the sliders, ``rows`` what it shows.
    sweeping : the value that runs to and fro.
    """

    def __init__(self, session: Session, editor: Editor, window: Window) -> None:
        self._session = session
        self._editor = editor
        self._window = window
        self.panel = panel = window.inspector.parameter_panel
        self.sweeping = Sweeping()
        self._waiting: _Wish | None = None
        self._refused = False  #: whether the last wish was, and it was said
        self.rows = ParameterRows(session)
        self._experiment = -1
        self._swept: float | None = None  #: the last value of a sweep
        self._tried: float | None = None  #: the last one in which the wave was to run
        self.sweeping.moved.connect(self._sweep_on)
        panel.slid.connect(self._slid)
        panel.let_go.connect(self._let_go)
        panel.stepped.connect(self._stepped)
        panel.nudged.connect(self._nudged)
        panel.typed.connect(self._typed)
        panel.reset_wished.connect(self.reset)
        panel.sweep_wished.connect(self.sweep)
        editor.stopping.connect(self.stop)
        window.dressed.connect(self._show_sweeps)

    # What is shown

    def show(self) -> None:
        """The parameters of the scene as the wave is to run in it now."""
        scene = self._editor.tried
        if self._experiment != self._session.experiment:
            self._experiment = self._session.experiment
            self._waiting = None
            self.rows.forget()
            self._end_sweep()
            if scene.parameters:
                self._bring_up()
        self.panel.show_parameters([self.rows.shown(scene, p) for p in scene.parameters])
        if self.sweeping.name:
            self._check_sweep(scene)
        self._show_sweeps()
        if self._waiting is not None and not self._editor.busy:
            waiting, self._waiting = self._waiting, None
            (self._stepped if waiting.step else self._try)(waiting.name, waiting.value)

    def bring_up(self) -> None:
        """The sliders, in front of the form."""
        self._window.side_dock.show()
        self._bring_up()

    def _bring_up(self) -> None:
        if not self._window.side_dock.isHidden():
            self._window.side_dock.raise_()
        self._window.inspector.show_parameters()

    def _parameter(self, name: str) -> Parameter | None:
        return next((p for p in self._editor.tried.parameters if p.name == name), None)

    # What a hand does

    def _slid(self, name: str, value: float) -> None:
        self.stop()
        self._try(name, value)

    def _let_go(self, name: str) -> None:
        """One edit of all that was tried out."""
        waiting, self._waiting = self._waiting, None
        if self._editor.held_by_another(self):
            return  # what is dragged on the canvas is to be let go there
        new = self._editor.tried if self._editor.trying else None
        if waiting is not None:
            new = self._made(waiting.name, waiting.value) or new
        if new is None or new == self._editor.scene:
            self._editor.take_back()
        else:
            self._editor.apply(Edit(self._label(name), new))
        self.show()

    def _stepped(self, name: str, value: float) -> None:
        """Steps that come soon after each other are one edit."""
        self.stop()
        new = self._made(name, value)
        if new is None:
            self.show()
        elif self._editor.hurries(new):
            self._waiting = _Wish(name, value, True)
        else:
            self._waiting = None
            self._editor.apply(Edit(self._label(name), new, merge=True))
            self.show()

    def _nudged(self, name: str, text: str) -> None:
        p = self._parameter(name)
        try:
            value = float(text)
        except ValueError:  # a step in a formula
            self._typed(name, text)
            return
        if p is not None and p.range is not None:
            value = min(max(value, float(p.range[0])), float(p.range[1]))
        self.panel.settle(name)
        self._stepped(name, value)

    def _typed(self, name: str, text: str) -> None:
        self.stop()
        self._waiting = None
        self.panel.settle(name)
        scene = self._editor.scene
        names = [p.name for p in scene.parameters]
        if name in names:
            item = ("parameters", names.index(name))
            new = self._judged(lambda: properties.changed(scene, item, ("value",), text))
            if new is not None and new != scene:
                self._editor.apply(Edit(self._label(name), new))
        self.show()

    def reset(self, name: str) -> None:
        """Back to what is on disk."""
        saved = self.rows.saved(name)
        if saved is not None:
            self._stepped(name, saved)

    def give_up(self) -> bool:
        """What is being slid or swept is as it was before; False if nothing is."""
        held = any(row.slider.held for row in self.panel.rows.values())
        if not (held or self.sweeping.name):
            return False
        for row in self.panel.rows.values():
            row.slider.setSliderDown(False)
        self._end_sweep()
        self._waiting = None
        self._editor.take_back()
        self.show()
        return True

    def delete(self, name: str) -> None:
        """What follows it has a number in its place."""
        self.stop()
        number = [p.name for p in self._editor.scene.parameters].index(name)
        self._editor.attempt(item_edits.remove, [("parameters", number)], "Delete")

    def _try(self, name: str, value: float) -> None:
        new = self._made(name, value)
        if new is None:
            self.show()  # the slider goes back to the last good value
        elif self._editor.hurries(new):
            self._waiting = _Wish(name, value, False)
        else:
            self._waiting, self._tried = None, value
            self._editor.try_out(new, at_any_price=True, by=self)

    def _made(self, name: str, value: float) -> Scene | None:
        """The scene with this value; None if it cannot be, which is said."""
        scene = self._editor.scene
        return self._judged(lambda: with_parameters(scene, {name: value}))

    def _judged(self, make: Callable[[], Scene]) -> Scene | None:
        scene = self._editor.scene
        if self._refused:
            self._window.message.forgive()
            self._refused = False
        try:
            new = make()
            item_edits.check_moved(scene, new, _changed_items(scene, new))
        except WavelabError as error:
            self._editor.complain(error)
            self._refused = True
            return None
        return new

    def _label(self, name: str) -> str:
        p = self._parameter(name)
        return f"Change {p.title if p is not None else name}"

    # What moves by itself

    def sweep(self, name: str, wished: bool) -> None:
        """Run a value to and fro, or leave it where it is."""
        self.stop()
        p = self._parameter(name)
        if wished and p is not None and p.settable:
            self._swept = self._tried = None
            notches = self.rows.notches(self._editor.tried, p)
            self.sweeping.start(name, notches, float(p.value))
        self._show_sweeps()

    def stop(self) -> None:
        """What runs by itself stays where it is, as one edit."""
        name = self.sweeping.name
        if name:
            self._end_sweep()
            if self._session.experiment == self._experiment:
                self._let_go(name)

    def set_seconds(self, seconds: float) -> None:
        """From one end to the other, from now on."""
        self.sweeping.seconds = seconds
        self._show_sweeps()

    def close(self) -> None:
        """Nothing moves any more."""
        self.sweeping.stop()

    def _end_sweep(self) -> None:
        self.sweeping.stop()
        self._show_sweeps()

    def _sweep_on(self, value: float) -> None:
        name = self.sweeping.name
        if self._session.experiment != self._experiment or self._parameter(name) is None:
            self._end_sweep()  # another scene, which has not been shown yet
            return
        if self._editor.held_by_another(self) or value == self._swept:
            return
        self._swept = value
        self._try(name, value)
        if self._refused:
            self.stop()

    def _check_sweep(self, scene: Scene) -> None:
        """It ends where a mesh cannot be made, and with its parameter."""
        p = self._parameter(self.sweeping.name)
        if p is None or not p.settable:
            self._end_sweep()
        elif self._editor.trying and not (self._editor.busy or self._editor.held_by_another(self)):
            if self._tried in (None, float(p.value)):
                return
            self._waiting = None  # it would be no better
            self.stop()
        else:
            self.sweeping.follow(self.rows.notches(scene, p))

    def _show_sweeps(self) -> None:
        for name, row in self.panel.rows.items():
            running = name == self.sweeping.name
            row.show_sweep(running, self.sweeping.seconds, self._window.theme)


def _changed_items(before: Scene, after: Scene) -> list[properties.Key]:
    """Obstacles and monitors that are another way."""
    return [
        (kind, i)
        for kind in ("holes", "monitors")
        for i, (old, new) in enumerate(
            zip(getattr(before, kind), getattr(after, kind), strict=False)
        )
        if old is not new
    ]
