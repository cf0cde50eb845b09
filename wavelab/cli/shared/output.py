"""How commands say things: results on standard output, remarks on standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")


def row(widths: Sequence[int], *cells: str) -> str:
    """Cells side by side, flush left where the width is negative; missing ones are left out."""
    return "  ".join(
        f"{c:<{-w}}" if w < 0 else f"{c:>{w}}" for c, w in zip(cells, widths, strict=False)
    ).rstrip()


@dataclass(frozen=True)
class Column(Generic[T]):
    """One number of each result.

    Attributes
    ----------
    width : in characters; negative for flush left.
    cell : its text.
    """

    title: str
    width: int
    cell: Callable[[T], str]


class Table(Generic[T]):
    """Results below each other, or as JSON."""

    def __init__(self, *columns: Column[T]) -> None:
        self._columns = columns
        self._widths = [column.width for column in columns]

    @property
    def head(self) -> str:
        """The titles."""
        return row(self._widths, *(column.title for column in self._columns))

    def line(self, result: T) -> str:
        """One result."""
        return row(self._widths, *(column.cell(result) for column in self._columns))


def shown(results: Iterable[T], text: Callable[[T, bool], str]) -> list[T]:
    """All results, each printed as it comes.

    Parameters
    ----------
    text : of a result, and whether it is the first.
    """
    found: list[T] = []
    for result in results:
        print(text(result, not found), flush=True)
        found.append(result)
    return found


def show_all(
    results: Iterable[T],
    as_json: bool,
    text: Callable[[T, bool], str],
    as_row: Callable[[Any], Any] = asdict,
) -> int:
    """Print results as they come, or all as one JSON list of ``as_row``; the exit status."""
    if as_json:
        print(json.dumps([as_row(result) for result in results]))
    else:
        shown(results, text)
    return 0


def tuned_row(found: DataclassInstance) -> dict[str, Any]:
    """What tuning found, as JSON has it: ``shape`` is what a config was called."""
    return {("shape" if name == "config" else name): v for name, v in asdict(found).items()}


def say(text: str) -> None:
    """A remark; that nobody can hear it, as when the terminal has gone, costs nothing else."""
    with suppress(OSError):
        print(text, file=sys.stderr, flush=True)


def note(text: str) -> None:
    """Something to know that is no error."""
    say(f"note: {text}")


def progress(text: str) -> None:
    """What a long measurement does now."""
    say(f"  {text}")


def wrote(*paths: Path | str | None) -> None:
    """Names files that were written; None was not asked for."""
    for path in paths:
        if path is not None:
            print(f"wrote {path}")
