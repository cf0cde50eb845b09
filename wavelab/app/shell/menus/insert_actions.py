"""The menu entries that put something ready-made."""

from __future__ import annotations

from functools import partial

from wavelab.app.base.action_set import ActionInfo
from wavelab.app.shell.workbench import Workbench
from wavelab.app.tools.drawing.ready_made import READY_MADE


def _choose(key: str, w: Workbench) -> None:
    w.toolbox.choose("insert")
    w.toolbox.insert.choose(key)


INSERT_ACTIONS: tuple[ActionInfo[Workbench], ...] = tuple(
    ActionInfo(f"insert.{key}", what.label, (), "", what.tip, partial(_choose, key))
    for key, what in READY_MADE.items()
)
