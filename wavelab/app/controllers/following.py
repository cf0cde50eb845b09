"""The wave follows what a hand drags, mesh by mesh."""

from __future__ import annotations

from collections.abc import Callable

from wavelab.app.base.loop.wake import Wake
from wavelab.app.controllers.editor import Editor
from wavelab.errors import WavelabError
from wavelab.scene.model.scene import Scene


class Following:
    """Tries out where something is dragged to: one scene is on its way at a time, and then it is
    the turn of the newest."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._newest: Callable[[], Scene] | None = None
        self._soon = Wake()
        self._soon.heard.connect(self.go_on)
        editor.stopping.connect(self.forget)

    def to(self, make: Callable[[], Scene]) -> None:
        """Let the wave run in the scene that ``make`` gives, soon or once what is on its way runs;
        one that cannot be is passed over."""
        self._newest = make
        # Not at once: if the hand lets go here, an edit comes of it.
        self._soon.post()

    def go_on(self) -> None:
        """What is on its way may have come."""
        if self._newest is None or self._editor.busy:
            return
        make, self._newest = self._newest, None
        try:
            scene = make()
        except WavelabError:  # which the tool shows
            return
        if scene != self._editor.tried:
            self._editor.try_out(scene, at_any_price=True, by=self)

    def forget(self) -> None:
        """Try nothing more: an edit comes of it now."""
        self._newest = None

    def give_up(self) -> None:
        """All is as it was before."""
        self.forget()
        if self._editor.trying and not self._editor.held_by_another(self):
            self._editor.take_back()

    def close(self) -> None:
        """Nothing moves any more."""
        self._soon.close()
