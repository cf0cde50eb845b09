"""The user's hand on the scene: edits go through it, and what comes of them is said."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Concatenate, ParamSpec

from wavelab.app.base.action_set import native_key
from wavelab.app.base.qt import QObject, Signal
from wavelab.app.edits.edit_price import Price, price
from wavelab.app.edits.edits import Edit
from wavelab.app.session.session import Session
from wavelab.app.window.window import Window
from wavelab.diagnosis.error_log import told
from wavelab.errors import WavelabError
from wavelab.scene.model.scene import Scene

P = ParamSpec("P")


class Editor(QObject):
    """Puts edits into effect, takes them back, and tells the user what cannot be.

    Emits ``view_changed(View, View)`` with what the scene says of its view before and after each,
    ``stopping()`` and ``settling()`` before the scene is looked at or replaced as a whole: what a
    hand is at ends there, and what is being written is to go into it.
    """

    view_changed = Signal(object, object)
    stopping = Signal()
    settling = Signal()

    def __init__(self, session: Session, window: Window) -> None:
        super().__init__()
        self._session = session
        self._window = window
        self._noted = ""  #: what was last said of an edit
        self._complained_in = 0  #: the generation, when it last complained
        self._said: Scene | None = None  #: while another scene is tried out
        self._by: object = None  #: whoever did that last

    @property
    def scene(self) -> Scene:
        """As it is wished for now, without what is only tried out."""
        return self._session.scene if self._said is None else self._said

    @property
    def busy(self) -> bool:
        """Whether a scene newer than the running one is on its way."""
        return self._session.busy

    @property
    def tried(self) -> Scene:
        """As the wave is to run now, with what is only tried out."""
        return self._session.scene

    @property
    def trying(self) -> bool:
        """Whether a scene is only tried out now."""
        return self._said is not None

    def held_by_another(self, who: object) -> bool:
        """Whether somebody else tries a scene out now."""
        return self.trying and self._by is not who

    def hurries(self, scene: Scene) -> bool:
        """Whether a scene that is on its way would be given up for this one, which would not be
        there any sooner: nothing would ever be seen while something is dragged."""
        running = self._session.running
        return self.busy and (
            running is None
            or price(running.scene, scene) >= Price.OPERATOR
            or price(self._session.scene, scene) >= Price.OPERATOR
        )

    def apply(self, edit: Edit) -> None:
        """Put an edit into effect, and say what it had to leave out."""
        said, self._said = self._said, None
        self._change(lambda: self._session.apply(edit, said))
        if edit.notes:
            self._inform(f"{edit.label}: {'; '.join(edit.notes)}. {self._undo} undoes it.")

    def try_out(self, scene: Scene, *, at_any_price: bool = False, by: object = None) -> None:
        """Let the wave run in a scene while something is dragged, if that takes but a moment.  No
        step of the history comes of it before :meth:`apply`, nothing at all after
        :meth:`take_back`.

        Parameters
        ----------
        at_any_price : also if a mesh has to be made.
        by : who does it.
        """
        said = self.scene
        if at_any_price or price(said, scene) < Price.OPERATOR:
            self._session.attempt(scene, makeshift=True)
            self._said, self._by = said, by

    def take_back(self) -> None:
        """What was tried out is given up."""
        said, self._said = self._said, None
        if said is not None:
            self._session.attempt(said)

    def attempt(
        self, edit: Callable[Concatenate[Scene, P], Edit], *args: P.args, **kwargs: P.kwargs
    ) -> bool:
        """Put ``edit(scene, ...)`` into effect; whether it could be, or else the user is told."""
        try:
            self.apply(edit(self.scene, *args, **kwargs))
        except WavelabError as error:
            self.complain(error)
            return False
        return True

    @contextmanager
    def telling(self) -> Iterator[None]:
        """For a block of work that may not be possible: it ends there, and the user is told."""
        try:
            yield
        except WavelabError as error:
            self.complain(error)

    def open(self, scene: Scene, *, saved: bool = True) -> None:
        """Another experiment, on disk as it is if ``saved``; nothing is asked where the present one
        was not, because undo brings it back, but it is said."""
        self.stopping.emit()
        self.take_back()
        left = self.scene if self._session.modified else None
        self._session.open(scene, saved=saved)
        if left is not None:
            self._inform(f"\u201c{left.title}\u201d was not saved; {self._undo} brings it back.")

    def settle(self) -> None:
        """What was written up to now is in the scene, and nothing that was only tried out."""
        self.stopping.emit()
        self.take_back()
        self.settling.emit()

    def undo(self) -> None:
        self.settle()
        self._change(self._session.undo)

    def redo(self) -> None:
        self.settle()
        self._change(self._session.redo)

    @property
    def _undo(self) -> str:
        """The key for it."""
        return native_key(self._window.actions_by_id["undo"].shortcut())

    def _inform(self, text: str) -> None:
        """Say it until there is something else to say of an edit."""
        self._noted = text
        self._window.message.inform(text)

    def _change(self, act: Callable[[], None]) -> None:
        before = self.scene.view
        self._window.message.withdraw(self._noted)
        act()
        self.view_changed.emit(before, self.scene.view)

    def complain(self, error: WavelabError) -> None:
        """Tell the user what is wrong, and what would be right."""
        message = error.message[:1].upper() + error.message[1:]
        # What is wrong with the scene on show needs no file name in front of it.
        elsewhere = error.where and error.where != self.scene.where
        head = f"{error.where}: {error.message}" if elsewhere else message
        self._window.message.complain(head, error.remedy)
        told.info("%s", error)
        self._complained_in = self._session.generation

    def forgive(self) -> None:
        """A complaint is out of date once a scene that was wished for after it runs; to be called
        when another one does."""
        running = self._session.running
        if running is not None and running.generation > self._complained_in:
            self._window.message.forgive()
