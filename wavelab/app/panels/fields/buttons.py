"""Buttons that lie side by side and share the room there is."""

from __future__ import annotations

from wavelab.app.base.qt import Qt, QtWidgets
from wavelab.app.language.language import tr


def _wide() -> QtWidgets.QToolButton:
    button = QtWidgets.QToolButton()
    button.setSizePolicy(QtWidgets.QSizePolicy.Expanding, QtWidgets.QSizePolicy.Fixed)
    return button


def action_button(action: QtWidgets.QAction) -> QtWidgets.QToolButton:
    """Icon and words of an action."""
    button = _wide()
    button.setDefaultAction(action)
    button.setToolButtonStyle(Qt.ToolButtonTextBesideIcon)
    button.setAccessibleName(action.text().replace("&", ""))
    return button


def switch(text: str, tip: str) -> QtWidgets.QToolButton:
    """A button that stays down."""
    button = _wide()
    button.setText(tr(text))
    button.setCheckable(True)
    button.setToolTip(tr(tip))
    return button
