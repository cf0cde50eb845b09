"""The page of ``wavelab doctor``, made beside the window and put on the clipboard."""

from __future__ import annotations

from wavelab.app.base.loop.background import Background
from wavelab.app.base.qt import QtGui
from wavelab.app.controllers.editor import Editor
from wavelab.app.panels.messages.message_bar import MessageBar
from wavelab.app.window.background_task import BackgroundTask
from wavelab.diagnosis.page import page
from wavelab.diagnosis.report import report


class ProblemReport:
    """Made on demand, one at a time."""

    def __init__(self, editor: Editor, message: MessageBar) -> None:
        self._message = message
        self._making = BackgroundTask[str]("report", found=self._made, failed=editor.complain)

    def make(self) -> None:
        """Look at this machine, which takes some seconds."""
        if not self._making.busy:
            self._message.inform("Looking at this machine\u2026")
            self._making.start(_text)

    def close(self, timeout: float) -> bool:
        """Give it up."""
        return self._making.close(timeout)

    def _made(self, text: str) -> None:
        QtGui.QGuiApplication.clipboard().setText(text)
        self._message.inform(
            "A page about this machine is on the clipboard, to be pasted where you tell what "
            "went wrong. It names neither you nor the machine."
        )


def _text(work: Background[str]) -> str:
    return page(report(work.cancelled))
