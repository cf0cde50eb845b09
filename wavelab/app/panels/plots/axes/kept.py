"""Curves that are kept, so that later ones can be compared with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from wavelab.app.base import measures
from wavelab.app.language.language import tr
from wavelab.app.panels.plots.axes.axis import Axis
from wavelab.app.panels.plots.axes.curve import Curve
from wavelab.scene.model.units import Scale

#: What the numbers of a curve mean: names of both axes without units, and the units of the scene.
Meaning = tuple[str, str, Scale | None]


@dataclass(frozen=True, eq=False)
class Kept:
    """A curve of before; it is drawn where the axes mean the same."""

    curve: Curve
    meaning: Meaning

    @property
    def name(self) -> str:
        return self.curve.name


class KeptCurves:
    """Those of one plot, the first that was kept first."""

    def __init__(self) -> None:
        self.all: list[Kept] = []

    def __len__(self) -> int:
        return len(self.all)

    def keep(self, curves: Sequence[Curve], across: Axis, up: Axis) -> None:
        """All curves but those that are kept already."""
        taken = {kept.name for kept in self.all}
        for curve in curves:
            if curve.kept:
                continue
            names = (tr("{curve}, kept {n}", curve=curve.name, n=n) for n in range(1, 10**6))
            name = next(name for name in names if name not in taken)
            taken.add(name)
            same = sum(k.curve.colour % 6 == curve.colour % 6 for k in self.all)
            now = replace(curve, name=name, colour=curve.colour + same, kept=True)
            self.all.append(Kept(now, _meaning(across, up)))

    def rename(self, kept: Kept, name: str) -> None:
        """Call it otherwise; "" changes nothing."""
        if name.strip() and kept in self.all:
            number = self.all.index(kept)
            self.all[number] = replace(kept, curve=replace(kept.curve, name=name.strip()))

    def forget(self, kept: Kept) -> None:
        self.all = [other for other in self.all if other is not kept]

    def forget_all(self) -> None:
        self.all = []

    def shown(self, across: Axis, up: Axis) -> Iterator[Curve]:
        """Those whose numbers mean what these axes show."""
        meaning = _meaning(across, up)
        return (kept.curve for kept in self.all if kept.meaning == meaning)


def _meaning(across: Axis, up: Axis) -> Meaning:
    plain = (axis.text.partition(" (")[0] for axis in (across, up))
    return (*plain, measures.scale())  # type: ignore[return-value]
