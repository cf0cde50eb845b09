"""What there is in a scene can be removed and saved."""

from __future__ import annotations

from collections.abc import Mapping

from wavelab.app.base.qt import QtWidgets
from wavelab.scene.model.scene import Scene

#: Actions, and the part of the scene that each is of no use without.
_NEEDED = {
    "remove_holes": "holes",
    "remove_probes": "probes",
    "remove_pings": "pings",
    "probe_series": "probes",
    "listen": "probes",
    "monitor_data": "monitors",
}


def offer_what_is_there(actions: Mapping[str, QtWidgets.QAction], scene: Scene) -> None:
    """Enable the actions that have something to act on."""
    for id_, part in _NEEDED.items():
        actions[id_].setEnabled(bool(getattr(scene, part)))
