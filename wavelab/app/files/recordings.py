"""Recordings that are given to sources."""

from __future__ import annotations

from pathlib import Path

from wavelab.app.controllers.editor import Editor
from wavelab.app.controllers.source_controller import SourceController
from wavelab.app.edits.source_edits import play_file
from wavelab.app.files.outbox import Outbox
from wavelab.app.session.selection import Selection
from wavelab.app.window.dialogs import Dialogs
from wavelab.errors import WavelabError
from wavelab.scene.recordings.recording import READERS

FILTER = f"Recordings ({' '.join(f'*{suffix}' for suffix in READERS)})"


def is_recording(path: Path) -> bool:
    """Whether a file is one, by its ending."""
    return path.suffix.lower() in READERS


class Recordings:
    """Lets the source that is chosen play a file, or the only one or the first that there is."""

    def __init__(
        self,
        editor: Editor,
        selection: Selection,
        sources: SourceController,
        outbox: Outbox,
        dialogs: Dialogs,
    ) -> None:
        self._editor, self._selection, self._sources = editor, selection, sources
        self._outbox, self._dialogs = outbox, dialogs

    def ask(self) -> None:
        """For a file to be played."""
        if not self._editor.scene.sources:
            self.play(Path())
            return
        path = self._dialogs.open_file("Play a file", self._outbox.folder, FILTER)
        if path is not None:
            self.play(path)

    def play(self, path: Path) -> None:
        """One that was chosen or dropped."""
        sources = self._editor.scene.sources
        if not sources:
            remedy = "Place one with the source tool (S) first."
            self._editor.complain(WavelabError("there is no source to play a file", remedy=remedy))
            return
        item = self._selection.item
        driven = (i for i, source in enumerate(sources) if source.in_time is not None)
        number = int(item[1]) if item[0] == "sources" else next(driven, 0)
        if self._editor.attempt(play_file, number, path, self._sources.settings.frequency):
            self._outbox.remember(path)
            self._selection.choose(("sources", number))
