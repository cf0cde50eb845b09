"""Something that is found out beside the window, one answer at a time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Generic, TypeVar

from wavelab.app.base.failures import explain
from wavelab.app.base.loop.background import Background
from wavelab.app.base.loop.wake import Wake
from wavelab.app.language.language import tr
from wavelab.app.panels.dialogs.study_dialog import StudyDialog
from wavelab.errors import WavelabError

T = TypeVar("T")


class BackgroundTask(Generic[T]):
    """Starts work in a thread and tells, in the window's own, what comes of it.

    Parameters
    ----------
    name : of its threads.
    found : called with what came out.
    failed : called with what went wrong.
    cancelled : called when the work has ended because it was cancelled.
    progress : called with how much is done, 0 to 1, and what is being done.
    """

    def __init__(
        self,
        name: str,
        *,
        found: Callable[[T], None],
        failed: Callable[[WavelabError], None],
        cancelled: Callable[[], None] = lambda: None,
        progress: Callable[[float, str], None] = lambda part, text: None,
    ) -> None:
        self._name = name
        self._found, self._failed = found, failed
        self._cancelled, self._progress = cancelled, progress
        self._wake = Wake()
        self._wake.heard.connect(self.look)
        self._task: Background[T] | None = None
        self._abandoned: list[Background[T]] = []

    @classmethod
    def shown_in(
        cls, dialog: StudyDialog, name: str, found: Callable[[T], None]
    ) -> BackgroundTask[T]:
        """One whose progress and failures ``dialog`` shows, and which its button cancels."""
        task = cls(
            name,
            found=found,
            failed=lambda error: dialog.show_idle(str(error)),
            cancelled=lambda: dialog.show_idle(tr("Cancelled.")),
            progress=dialog.show_progress,
        )
        dialog.cancelled.connect(task.cancel)
        return task

    @property
    def busy(self) -> bool:
        """Whether an answer is still to come."""
        return self._task is not None

    def start(self, work: Callable[[Background[T]], T]) -> None:
        """Let ``work`` run instead of what runs now."""
        self.abandon()
        self._task = Background(self._name, work, changed=self._wake.post)
        self._progress(0.0, "")

    def cancel(self) -> None:
        """Ask what runs to end; ``cancelled`` is called when it has."""
        if self._task is not None:
            self._task.cancel()

    def abandon(self) -> None:
        """Give up what runs and tell nothing of it any more."""
        if self._task is not None:
            self._task.cancel()
            self._abandoned.append(self._task)
            self._task = None

    def look(self) -> None:
        """Tell what has come out, or how far it is; called when there is something."""
        self._abandoned = [task for task in self._abandoned if not task.done]
        task = self._task
        if task is None:
            return
        if not task.done:
            self._progress(task.part, task.text)
            return
        self._task = None
        try:
            result = task.result()
        except Exception as error:
            self._failed(explain(error))
            return
        if result is None:
            self._cancelled()
        else:
            self._found(result)

    def close(self, timeout: float) -> bool:
        """Give everything up; False if some of it was still alive after ``timeout`` seconds."""
        self.abandon()
        deadline = time.monotonic() + timeout
        ended = [task.join(max(0.0, deadline - time.monotonic())) for task in self._abandoned]
        return all(ended)
