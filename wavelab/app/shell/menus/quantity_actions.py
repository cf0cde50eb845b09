"""The menu entries that choose what is shown."""

from __future__ import annotations

from functools import partial

from wavelab.app.base.action_set import ActionInfo
from wavelab.app.shell.workbench import Workbench
from wavelab.scene.view.quantities import QUANTITIES

#: Beside G, which shows the mesh; digits end with 9.
_MESH_KEYS = {"quality": "Shift+G", "step": "Ctrl+G"}


def _choose(key: str, w: Workbench) -> None:
    w.views.show_quantity(key)


QUANTITY_ACTIONS: tuple[ActionInfo[Workbench], ...] = tuple(
    ActionInfo(
        f"show.{key}",
        quantity.label,
        (_MESH_KEYS.get(key, str(i)),) if i < 10 or key in _MESH_KEYS else (),
        "",
        f"Show: {quantity.label}",
        partial(_choose, key),
        checkable=True,
        group="quantities",
    )
    for i, (key, quantity) in enumerate(QUANTITIES.items(), start=1)
)
