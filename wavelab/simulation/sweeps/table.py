"""The table of a sweep: a row for each run, written as they end, and read again to go on."""

from __future__ import annotations

import csv
import hashlib
import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from wavelab.atomic import check_target, explain, whole_file
from wavelab.errors import OutputError, SceneError
from wavelab.locks import alone_with
from wavelab.output.files.tables import SUFFIXES
from wavelab.reading import is_plain_file, read_plain_file
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.view import View
from wavelab.scene.model.walking import files_in, with_files
from wavelab.scene.toml.toml_io import dump_scene
from wavelab.simulation.sweeps.axes import Point, key, number

_LARGEST = 1 << 28
_OTHER = "Name another file, or remove this one to begin anew."


def mark_of(scene: Scene) -> str:
    """Twelve digits that are others for a scene that gives other numbers.

    Raises
    ------
    SceneError : a file that it names cannot be read.
    """
    told = replace(
        scene, title="", description="", notes="", view=View(), labels=(), path=None,
        mesh_file=None, initial_file=None,
    )  # fmt: skip
    told = replace(told, sources=with_files(told.sources, lambda file: Path(file.name)))
    content = dump_scene(told).encode()
    for file in files_in((scene.mesh_file, scene.initial_file, scene.sources)):
        try:
            content += file.read_bytes()
        except OSError as error:
            raise SceneError(f"cannot be read: {error.strerror}", where=str(file)) from None
    return hashlib.sha256(content).hexdigest()[:12]


@dataclass(frozen=True)
class Row:
    """Of one run: what was measured, or what went wrong."""

    point: Point
    values: tuple[float, ...] = ()
    error: str = ""


@contextmanager
def held_table(path: str | Path) -> Iterator[None]:
    """No other sweep writes the table meanwhile: each holds the rows that it has read and its own,
    so that two would take away each other's.

    Raises
    ------
    OutputError : another one does, or it cannot be written.
    """
    target = check_target(path, SUFFIXES)
    with ExitStack() as stack:
        try:
            alone = stack.enter_context(alone_with(target))
        except OSError as error:
            raise explain(error, target) from error
        if not alone:
            raise OutputError(
                "another sweep is writing this table",
                where=str(target),
                remedy="Give the same command again when that one has ended, which goes on with "
                "what it found, or name another file.",
            )
        yield


class SweepTable:
    """A CSV file with a column for each axis and measure, ``error``, which is empty where all went
    well, and ``scene``, the mark of what was run.

    It is whole at any moment: each row more replaces the file.

    Parameters
    ----------
    names, measures : of its columns.
    mark : of the scene.

    Raises
    ------
    OutputError : from the constructor, if it cannot be written or is of something else.
    """

    def __init__(
        self, path: str | Path, names: Sequence[str], measures: Sequence[str], mark: str
    ) -> None:
        self.path = check_target(path, SUFFIXES)
        self._names, self._measures, self._mark = tuple(names), tuple(measures), mark
        self._rows: dict[tuple, Row] = {}
        if is_plain_file(self.path):
            self._rows = {key(row.point): row for row in self._read() if not row.error}

    def missing(self, points: Iterable[Point]) -> list[Point]:
        """Those that have no numbers yet."""
        return [point for point in points if key(point) not in self._rows]

    def put(self, row: Row) -> None:
        """One row more, on the disk when this returns.

        Raises
        ------
        OutputError : it cannot be written.
        """
        self._rows[key(row.point)] = row
        self._write()

    def rows(self) -> list[Row]:
        """In the order of the values of the axes."""
        return sorted(self._rows.values(), key=lambda row: [_order(text) for text in row.point])

    @property
    def columns(self) -> tuple[str, ...]:
        return (*self._names, *self._measures, "error", "scene")

    def _write(self) -> None:
        with (
            whole_file(self.path, SUFFIXES) as partial,
            partial.open("w", encoding="utf-8", newline="") as file,
        ):
            writer = csv.writer(file)
            writer.writerow(self.columns)
            for row in self.rows():
                values = row.values or ("",) * len(self._measures)
                writer.writerow((*row.point, *values, row.error, self._mark))

    def _read(self) -> list[Row]:
        try:
            text = read_plain_file(self.path, _LARGEST).decode("utf-8-sig")
        except OSError as error:
            raise self._refused(f"is there already and cannot be read: {error.strerror}") from None
        except UnicodeDecodeError:
            raise self._refused("is there already and cannot be read: it is no text") from None
        head, *lines = [line for line in csv.reader(text.splitlines()) if line] or [[]]
        if tuple(head) != self.columns:
            told = ", ".join(head[:-2]) if tuple(head[-2:]) == ("error", "scene") else ""
            what = f"is the table of {told}" if told else "is no table of a sweep"
            raise self._refused(f"{what}, and not of {', '.join(self.columns[:-2])}")
        return [self._row(line) for line in lines]

    def _row(self, cells: list[str]) -> Row:
        if len(cells) != len(self.columns):
            raise self._refused("has a row with another number of cells")
        if cells[-1] != self._mark:
            raise self._refused("holds numbers of another scene, or of other options")
        n = len(self._names)
        point, measured, error = tuple(cells[:n]), cells[n:-2], cells[-2]
        if error:
            return Row(point, error=error)
        values = tuple(number(cell) for cell in measured)
        if None in values:
            raise self._refused("has a row that lacks a number")
        return Row(point, tuple(value for value in values if value is not None))

    def _refused(self, message: str) -> OutputError:
        return OutputError(message, where=str(self.path), remedy=_OTHER)


def _order(text: str) -> tuple[float, str]:
    value = number(text)
    return (math.inf, text) if value is None else (value, "")
