"""Undo and redo over immutable scenes."""

from __future__ import annotations

from dataclasses import dataclass, replace

from wavelab.scene.model.scene import Scene

#: More steps than anybody takes back; scenes share their unchanged parts, so they cost little.
LIMIT = 500
#: Seconds after which an edit is a step of its own, though it goes on where the one before ended.
PAUSE = 10.0


@dataclass(frozen=True)
class HistoryEntry:
    """``scene`` is what the step goes back (or forward) to.

    ``keeps_field`` says whether the running field goes along; ``edited`` is the time of the last
    edit of a run that is one step, None where the step is no run.
    """

    label: str
    scene: Scene
    keeps_field: bool = True
    edited: float | None = None


@dataclass(frozen=True)
class History:
    """Steps that can be taken back, the newest last, and those that can be taken again."""

    past: tuple[HistoryEntry, ...] = ()
    future: tuple[HistoryEntry, ...] = ()

    def recorded(
        self, label: str, before: Scene, *, keeps_field: bool = True, run_at: float | None = None
    ) -> History:
        """``before`` becomes the newest step to go back to; what could be redone is forgotten.

        A run of edits of the same name (turning one spin box) is one step: those with their times
        in ``run_at``, in seconds, as long as no pause is between them.
        """
        if run_at is not None and self.past and not self.future:
            last = self.past[-1]
            if last.label == label and last.edited is not None and run_at - last.edited <= PAUSE:
                return History((*self.past[:-1], replace(last, edited=run_at)))
        return History((*self.past, HistoryEntry(label, before, keeps_field, run_at))[-LIMIT:])

    def undone(self, now: Scene) -> tuple[History, HistoryEntry] | None:
        """The history one step back and what is there; None at the beginning."""
        if not self.past:
            return None
        step = self.past[-1]
        return History(self.past[:-1], (*self.future, replace(step, scene=now))), step

    def redone(self, now: Scene) -> tuple[History, HistoryEntry] | None:
        """The history one step forward and what is there; None at the end."""
        if not self.future:
            return None
        step = self.future[-1]
        return History((*self.past, replace(step, scene=now)), self.future[:-1]), step

    @property
    def undo_label(self) -> str:
        return self.past[-1].label if self.past else ""

    @property
    def redo_label(self) -> str:
        return self.future[-1].label if self.future else ""
