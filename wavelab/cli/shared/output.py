"""How commands say things: results on standard output, remarks on standard error."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def row(widths: Sequence[int], *cells: str) -> str:
    """Cells side by side, flush left where the width is negative; missing ones are left out."""
    return "  ".join(
        f"{c:<{-w}}" if w < 0 else f"{c:>{w}}" for c, w in zip(cells, widths, strict=False)
    ).rstrip()


def tuned_row(found: DataclassInstance) -> dict[str, Any]:
    """What tuning found, as JSON has it: ``shape`` is what a config was called."""
    return {("shape" if name == "config" else name): v for name, v in asdict(found).items()}


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
