"""Names and texts of scenes and files: where Qt would read more into them than they say, and where
several files may have the same name."""

from __future__ import annotations

import html
from collections.abc import Collection
from pathlib import Path

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


def short_names(paths: Collection[Path]) -> dict[Path, str]:
    """The name of each file, with as many of its folders as no other among ``paths`` shares."""
    return {path: _end(path, paths) for path in paths}


def _end(path: Path, others: Collection[Path]) -> str:
    for n in range(1, len(path.parts)):
        end = path.parts[-n:]
        if sum(other.parts[-n:] == end for other in others) <= 1:
            return str(Path(*end))
    return str(path)
