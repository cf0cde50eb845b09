"""Undo and redo over immutable scenes."""

from __future__ import annotations

from dataclasses import dataclass

from wavelab.scene.scene import Scene

#: More steps than anybody takes back; scenes share their unchanged parts, so they cost little.
LIMIT = 500


@dataclass(frozen=True)
class Step:
    """``scene`` is what the step goes back (or forward) to."""

    label: str
    scene: Scene


@dataclass(frozen=True)
class History:
    """Steps that can be taken back, the newest last, and those that can be taken again."""

    past: tuple[Step, ...] = ()
    future: tuple[Step, ...] = ()

    def recorded(self, label: str, before: Scene, *, merge: bool = False) -> History:
        """``before`` becomes the newest step to go back to; what could be redone is forgotten.

        With ``merge`` a run of edits of the same name (turning one spin box) is one step.
        """
        if merge and not self.future and self.past and self.past[-1].label == label:
            return self
        return History((*self.past, Step(label, before))[-LIMIT:])

    def undone(self, now: Scene) -> tuple[History, Scene] | None:
        """The history and the scene one step back; None at the beginning."""
        if not self.past:
            return None
        step = self.past[-1]
        return History(self.past[:-1], (*self.future, Step(step.label, now))), step.scene

    def redone(self, now: Scene) -> tuple[History, Scene] | None:
        """The history and the scene one step forward; None at the end."""
        if not self.future:
            return None
        step = self.future[-1]
        return History((*self.past, Step(step.label, now)), self.future[:-1]), step.scene

    @property
    def undo_label(self) -> str:
        return self.past[-1].label if self.past else ""

    @property
    def redo_label(self) -> str:
        return self.future[-1].label if self.future else ""
