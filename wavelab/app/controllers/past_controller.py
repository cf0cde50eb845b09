"""Going back in the past of the wave, from the window."""

from __future__ import annotations

from collections.abc import Callable

from wavelab.app.base.qt import QObject, Signal
from wavelab.app.controllers.editor import Editor
from wavelab.app.session.session import Session
from wavelab.app.window.dialogs import Dialogs
from wavelab.app.window.window import Window
from wavelab.errors import WavelabError
from wavelab.simulation.messages.frames import Frame, PastSpan
from wavelab.simulation.solver import past_commands as commands

_MIB = 2**20


class PastController(QObject):
    """What the bar of time and the keys do.

    Parameters
    ----------
    n_bytes : memory for what is kept.
    back : called when the wave is at its newest step again.

    Emits ``memory_chosen(mib)`` when the user has set that memory.
    """

    memory_chosen = Signal(int)

    def __init__(
        self,
        session: Session,
        editor: Editor,
        window: Window,
        dialogs: Dialogs,
        n_bytes: int,
        back: Callable[[], None],
    ) -> None:
        super().__init__()
        self._solver, self._editor = session.solver, editor
        self._bar, self._dialogs = window.time_bar, dialogs
        self._faces, self._n_bytes, self._back = window.faces, n_bytes, back
        self._past: PastSpan | None = None
        self._frame: Frame | None = None
        slider = window.time_bar.slider
        slider.slid.connect(lambda step: self._go_to(step, roughly=True))
        slider.let_go.connect(self._let_go)
        slider.stepped.connect(self._go_to)

    def show_frame(self, frame: Frame) -> None:
        """What can be gone back to is as in this frame."""
        self._past = frame.past
        before = self._solver.in_past
        self._solver.in_past = frame.past is not None and frame.steps < frame.past.newest
        if before and not self._solver.in_past:
            self._back()
        self._frame = frame
        self._bar.show_frame(frame)

    def show_again(self) -> None:
        """The same in other units."""
        if self._frame is not None:
            self._bar.show_frame(self._frame)

    def step_back(self) -> None:
        """Take the last step back."""
        if self._may():
            self._solver.send(commands.StepBack())

    def play_back(self) -> None:
        """Let the wave run backwards, or pause it."""
        if self._solver.backwards:
            self._solver.toggle()
        elif self._may():
            self._solver.send(commands.PlayBack())
        self._faces.show_backwards(self._solver.backwards)  # the click has changed it unasked

    def go_to_newest(self) -> None:
        """Forward again to the last step that was reached."""
        if self._may():
            self._solver.send(commands.GoToNewest())

    def set_memory(self) -> None:
        """Ask how much may be kept."""
        mib = self._dialogs.memory_of_past(self._n_bytes // _MIB)
        if mib is not None:
            self._n_bytes = mib * _MIB
            self._solver.send(commands.SetPastMemory(self._n_bytes))
            self.memory_chosen.emit(mib)

    def _go_to(self, step: float, *, roughly: bool = False) -> None:
        if self._may():
            self._solver.send(commands.GoTo(round(step), roughly))

    def _let_go(self) -> None:
        self._go_to(self._bar.slider.shown)

    def _may(self) -> bool:
        """Whether one can go back; where not, that is told."""
        if self._solver.recording is not None:
            self._editor.complain(
                WavelabError(
                    "time goes on while a movie is recorded",
                    remedy="Finish it (F9), then go back.",
                )
            )
        elif self._past is None or self._past.needed:
            self._editor.complain(
                WavelabError(
                    "nothing is kept of the past",
                    remedy="Give it more memory: menu Run, Memory of the past.",
                )
            )
        else:
            return True
        return False
