"""Tables of times and values as text: what spreadsheets, oscilloscopes and this program write."""

from __future__ import annotations

import io
import re

import numpy as np

from wavelab.arrays import Array
from wavelab.errors import SceneError

#: Between cells, the first that makes numbers of a row; and whether its numbers may have a comma.
_SEPARATORS = ((";", True), ("\t", True), (",", False), (None, True))
#: Lines at the head that may say what the columns are.
_MOST_HEAD = 50
_REMEDY = "A row has a time and one or more values: 0.25; 1.5"


def read_csv(content: bytes, name: str, column: str) -> tuple[Array, Array]:
    """Times and values (n,).

    Lines before the first row of numbers may name the columns; those that begin with # are left
    out.  Cells are parted by semicolons, tabs, commas or spaces; with any but commas, numbers may
    have a decimal comma.

    Parameters
    ----------
    name : of the file, for messages.
    column : name or number, from 1; "" is the second.

    Raises
    ------
    SceneError : a row is no row of numbers, or times do not increase.
    """
    lines = _lines(content, name)
    heads = lines[:_MOST_HEAD]
    rows = ((i, s, c) for i, (_, line) in enumerate(heads) for s, c in _SEPARATORS
            if _numbers(line, s, c) is not None)  # fmt: skip
    begin, separator, comma = next(rows, (None, None, False))
    if begin is None:
        raise SceneError(f'"{name}" has no rows of numbers', remedy=_REMEDY)
    names = [cell.strip().strip('"') for cell in _cells(lines[begin - 1][1], separator)]
    table = _table(lines[begin:], separator, comma, name)
    times = table[:, 0]
    values = table[:, _chosen(column, names if begin else [], table.shape[1], name)]
    _check(times, values, [number for number, _ in lines[begin:]], name)
    return times, values


def _lines(content: bytes, name: str) -> list[tuple[int, str]]:
    """Those that say something, with their numbers."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    if "\0" in text:
        raise SceneError(
            f'"{name}" is no text', remedy="Save it as comma-separated values in UTF-8."
        )
    return [
        (number, line)
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and not line.lstrip().startswith("#")
    ]


def _cells(line: str, separator: str | None) -> list[str]:
    return line.split(separator)


def _numbers(line: str, separator: str | None, comma: bool) -> list[float] | None:
    """Those of a row; None of what is none."""
    cells = _cells(line.replace(",", ".") if comma else line, separator)
    try:
        found = [float(cell.strip().strip('"')) for cell in cells]
    except ValueError:
        return None
    return found if len(found) > 1 else None


def _table(lines: list[tuple[int, str]], separator: str | None, comma: bool, name: str) -> Array:
    """(rows, columns)."""
    text = "\n".join(line for _, line in lines).replace('"', "")
    if comma:
        text = text.replace(",", ".")
    try:
        table = np.loadtxt(io.StringIO(text), delimiter=separator, ndmin=2, comments=None)
    except ValueError:
        columns = len(_numbers(lines[0][1], separator, comma) or ())
        for number, line in lines:
            found = _numbers(line, separator, comma)
            if found is None or len(found) != columns:
                shown = re.sub(r"\s+", " ", line.strip())[:40]
                raise SceneError(
                    f'line {number} of "{name}" is no row of {columns} numbers: "{shown}"',
                    remedy=_REMEDY,
                ) from None
        raise SceneError(f'"{name}" cannot be read as a table', remedy=_REMEDY) from None
    return table.astype(np.float64, copy=False)


def _chosen(column: str, names: list[str], count: int, name: str) -> int:
    """Number of a column from 0."""
    wanted = column.strip()
    if not wanted:
        return 1
    if wanted in names[1:count]:
        return names.index(wanted, 1)
    if wanted in map(str, range(2, count + 1)):
        return int(wanted) - 1
    known = ", ".join(names[1:count]) or f"2 to {count}"
    raise SceneError(f'"{name}" has no column of values "{column}"', remedy=f"It has: {known}.")


def _check(times: Array, values: Array, numbers: list[int], name: str) -> None:
    broken = ~(np.isfinite(times) & np.isfinite(values))
    if broken.any():
        line = numbers[int(np.flatnonzero(broken)[0])]
        raise SceneError(
            f'line {line} of "{name}" has a number that is not finite',
            remedy="Leave the row out, or put a number there.",
        )
    back = np.flatnonzero(np.diff(times) <= 0)
    if len(back):
        raise SceneError(
            f'in line {numbers[int(back[0]) + 1]} of "{name}" time does not go on: '
            f"{times[back[0]]:g}, then {times[back[0] + 1]:g}",
            remedy="The first column must be the time, and increase from row to row.",
        )
