"""Columns of text."""

from __future__ import annotations

from collections.abc import Sequence


def row(widths: Sequence[int], *cells: str) -> str:
    """Cells side by side, flush left where the width is negative; missing ones are left out."""
    return "  ".join(
        f"{c:<{-w}}" if w < 0 else f"{c:>{w}}" for c, w in zip(cells, widths, strict=False)
    ).rstrip()
