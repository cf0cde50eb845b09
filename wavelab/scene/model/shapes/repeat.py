"""How often a shape is repeated, and where: in a row, or in a grid on a lattice of any angle."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from wavelab.scene.formulas.expression import spelled_alike
from wavelab.scene.model.about import about
from wavelab.scene.model.item_error import ItemPath, label, require
from wavelab.scene.model.limits import check_length
from wavelab.scene.model.shapes.arcs import Point

#: More take minutes to mesh, and seconds to draw.
MOST_COPIES = 2_500
#: Sine of the angle between two pitches, below which they are one.
_PARALLEL = 1e-6

#: How many there are, along the first pitch and along the second.
Counts = tuple[int, int]
Pitches = tuple[Point, Point]


@dataclass(frozen=True)
class Repeat(ABC):
    """One way to repeat a shape."""

    @abstractmethod
    def places(self) -> tuple[tuple[str, Point], ...]:
        """What each copy is called beside its item's name, and how far it is from where the shape
        is; in order, those left out are missing."""

    @abstractmethod
    def pitch_in_short(self) -> Point | Pitches:
        """As little as says it in a file."""

    @abstractmethod
    def as_grid(self) -> Grid:
        """The same copies, or the nearest to them."""

    @abstractmethod
    def check(self, item: ItemPath, what: str) -> None:
        """
        Raises
        ------
        ItemError : names ``what`` is repeated, and what would be right.
        """


@dataclass(frozen=True)
class Row(Repeat):
    """``count`` copies, each a ``pitch`` from the one before; the first is the shape itself."""

    count: int = field(metadata=about("How many copies there are in the row"))
    pitch: Point = field(metadata=about("From one copy to the next, along x and y"))
    without: tuple[int, ...] = field(
        default=(), metadata=about("Copies that are left out, by their numbers in the row from 1")
    )

    def places(self) -> tuple[tuple[str, Point], ...]:
        (x, y), gone = self.pitch, set(self.without)
        return tuple(
            (str(i + 1), (float(i * x), float(i * y)))
            for i in range(self.count)
            if i + 1 not in gone
        )

    def pitch_in_short(self) -> Point:
        return self.pitch

    def as_grid(self) -> Grid:
        x, y = self.pitch
        return Grid(
            (self.count, 2), (self.pitch, (0.0 - y, x)), tuple((i, 1) for i in self.without)
        )

    def check(self, item: ItemPath, what: str) -> None:
        _check_counts((self.count,), item, what)
        _check_pitch(self.pitch, self.count, (*item, "pitch"), what)
        for i, number in enumerate(self.without):
            require(
                1 <= number <= self.count,
                (*item, "without", i),
                f"{what} is to be without copy {number} of {self.count}",
                f"Copies are counted from 1 to {self.count}.",
            )
        _check_left(self, item, what)


@dataclass(frozen=True)
class Grid(Repeat):
    """Copies on a lattice: ``count[0]`` along the first pitch, times ``count[1]`` along the second;
    copy (1, 1) is the shape itself."""

    count: Counts = field(
        metadata=about("How many copies there are along the first pitch, and along the second")
    )
    pitch: Pitches = field(
        metadata=about(
            "The two vectors from a copy to the next, [x, y] each; of a grid along the axes two "
            "numbers will do"
        )
    )
    without: tuple[Counts, ...] = field(
        default=(),
        metadata=about(
            "Copies that are left out, by two numbers from 1 each; [3, 1] is the third along the "
            "first pitch"
        ),
    )

    def places(self) -> tuple[tuple[str, Point], ...]:
        (n, m), ((ax, ay), (bx, by)), gone = self.count, self.pitch, set(self.without)
        return tuple(
            (f"{i + 1}-{j + 1}", (float(i * ax + j * bx), float(i * ay + j * by)))
            for j in range(m)
            for i in range(n)
            if (i + 1, j + 1) not in gone
        )

    def pitch_in_short(self) -> Point | Pitches:
        (x, across), (up, y) = self.pitch
        plain = across == up == 0 and spelled_alike((across, up), (0.0, 0.0))
        return (x, y) if plain else self.pitch

    def as_grid(self) -> Grid:
        return self

    def check(self, item: ItemPath, what: str) -> None:
        _check_counts(self.count, item, what)
        for i, (pitch, count) in enumerate(zip(self.pitch, self.count, strict=True)):
            _check_pitch(pitch, count, (*item, "pitch", i), what)
        a, b = self.pitch
        across = abs(a[0] * b[1] - a[1] * b[0])
        require(
            min(self.count) == 1 or across > _PARALLEL * math.hypot(*a) * math.hypot(*b),
            (*item, "pitch"),
            f"both pitches of {what} lie along one line",
            "Give the second another direction, or make it a row: one count and one pitch.",
        )
        for i, numbers in enumerate(self.without):
            require(
                all(1 <= k <= most for k, most in zip(numbers, self.count, strict=True)),
                (*item, "without", i),
                f"{what} is to be without copy [{numbers[0]}, {numbers[1]}] of "
                f"{self.count[0]} \u00d7 {self.count[1]}",
                f"Copies are counted from [1, 1] to [{self.count[0]}, {self.count[1]}].",
            )
        _check_left(self, item, what)


#: The kinds by their names in the form of properties; a file tells them by their counts.
REPEATS: dict[str, type[Repeat]] = {"row": Row, "grid": Grid}


def _check_counts(counts: tuple[int, ...], item: ItemPath, what: str) -> None:
    for count in counts:
        require(
            count >= 1,
            (*item, "count"),
            f"{what} is repeated {count} times",
            "A count is a whole number from 1 on.",
        )
    copies = math.prod(counts)
    require(
        copies <= MOST_COPIES,
        (*item, "count"),
        f"{what} is repeated {copies:,} times",
        f"There can be {MOST_COPIES:,} copies of one item at most.",
    )


def _check_pitch(pitch: Point, count: int, item: ItemPath, what: str) -> None:
    length = math.hypot(*pitch)
    require(
        count == 1 or length > 0,
        item,
        f"all {count} copies of {what} lie on each other: the pitch is 0",
        "It goes from a copy to the next, as [0.5, 0].",
    )
    if length > 0:
        check_length(length, item, f"the {label(item)} of {what}")


def _check_left(repeat: Repeat, item: ItemPath, what: str) -> None:
    require(
        bool(repeat.places()),
        (*item, "without"),
        f"no copy of {what} is left",
        "Leave fewer out.",
    )
