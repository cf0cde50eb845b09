"""How commands say things: results on standard output, remarks on standard error."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path


def row(widths: Sequence[int], *cells: str) -> str:
    """Cells side by side, flush left where the width is negative; missing ones are left out."""
    return "  ".join(
        f"{c:<{-w}}" if w < 0 else f"{c:>{w}}" for c, w in zip(cells, widths, strict=False)
    ).rstrip()


def note(text: str) -> None:
    """Something to know that is no error."""
    print(f"note: {text}", file=sys.stderr)


def progress(text: str) -> None:
    """What a long measurement does now."""
    print(f"  {text}", file=sys.stderr, flush=True)


def wrote(*paths: Path | str | None) -> None:
    """Names files that were written; None was not asked for."""
    for path in paths:
        if path is not None:
            print(f"wrote {path}")
