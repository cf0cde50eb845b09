"""Where files go: asking for a name, writing, and saying how it ended."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from wavelab.app.base.loop.background import Background
from wavelab.app.controllers.editor import Editor
from wavelab.app.panels.messages.message_bar import MessageBar
from wavelab.app.window.background_task import BackgroundTask
from wavelab.app.window.dialogs import Dialogs
from wavelab.errors import OutputError, WavelabError
from wavelab.paths import is_shipped
from wavelab.reading import real_path


class Outbox:
    """Attributes
    ----------
    folder : where the user was last, which is offered next.
    """

    def __init__(self, editor: Editor, message: MessageBar, dialogs: Dialogs) -> None:
        self._editor = editor
        self._message = message
        self._dialogs = dialogs
        self._writing = BackgroundTask[str]("file", found=message.inform, failed=editor.complain)
        self.folder = Path.home()

    def suggestion(self, suffix: str) -> str:
        """The scene's title as a file name that every system takes."""
        title = self._editor.scene.title.lower()
        return ("".join(c if c.isalnum() else "_" for c in title).strip("_") or "scene") + suffix

    def choose(self, title: str, name: str, filters: str) -> Path | None:
        """Ask where a file is to go; None if nowhere."""
        return self._dialogs.save_file(title, self.folder / name, filters)

    def remember(self, path: Path) -> None:
        """The user was there."""
        if not is_shipped(path):
            self.folder = real_path(path).parent

    def write(self, path: Path, write: Callable[[], None], what: str) -> bool:
        """Write a small file; whether it could be."""
        self.remember(path)
        try:
            write()
        except WavelabError as error:
            self._editor.complain(error)
            return False
        self._message.inform(f"{what} saved as {path}")
        return True

    def write_beside(
        self, path: Path, write: Callable[[], list[Path] | str | None], what: str
    ) -> None:
        """Write in the background; ``write`` returns the files if it is not ``path`` alone, or what
        else is to be said."""
        self.remember(path)
        if self._writing.busy:
            error = OutputError("another file is being written", remedy="Wait for it.")
            self._editor.complain(error)
            return

        def work(_: Background[str]) -> str:
            told = write()
            files = [path] if isinstance(told, str) or not told else told
            saved = f"{what} saved as {' and '.join(map(str, files))}"
            more = [told[:1].upper() + told[1:]] if isinstance(told, str) and told else []
            return "\n".join([saved, *more])

        self._message.inform(f"Writing {path.name}\u2026")
        self._writing.start(work)

    def close(self, timeout: float) -> bool:
        """Wait for a file that is being written."""
        return self._writing.close(timeout)
