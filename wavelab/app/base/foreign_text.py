"""Names and texts of scenes and files, where Qt would read more into them than they say."""

from __future__ import annotations

import html

from wavelab.app.base.qt import Qt


def on_menu(text: str) -> str:
    """For a menu or button, where "&" underlines what follows it."""
    return text.replace("&", "&&")


def as_tip(text: str) -> str:
    """For a tooltip, which takes what looks like HTML for it, and could load pictures it names.

    A label does so as well, and is told not to with ``setTextFormat(Qt.PlainText)``.
    """
    if not Qt.mightBeRichText(text):
        return text
    return f"<p>{html.escape(text, quote=False)}</p>"
