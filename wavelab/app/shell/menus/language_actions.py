"""The menu entries that choose the language of the window."""

from __future__ import annotations

from functools import partial

from wavelab.app.base.action_set import ActionInfo
from wavelab.app.language.catalogue import OFFERED
from wavelab.app.shell.workbench import Workbench

_TIP = "The language of the window, from its next start on"
#: By code, "" for that of the system; languages call themselves by their own names.
_CALLED = {"": "As the &system", **{language.code: language.name for language in OFFERED}}


def _choose(code: str, w: Workbench) -> None:
    w.appearance.choose_language(code)


LANGUAGE_ACTIONS: tuple[ActionInfo[Workbench], ...] = tuple(
    ActionInfo(
        f"language.{code}",
        name,
        (),
        "",
        _TIP,
        partial(_choose, code),
        checkable=True,
        group="languages",
    )
    for code, name in _CALLED.items()
)
