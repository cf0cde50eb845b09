"""A waveform that a file has recorded."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

import numpy as np

from wavelab.arrays import Array
from wavelab.errors import SceneError
from wavelab.scene.model.about import about
from wavelab.scene.model.item_error import ItemError, ItemPath, require
from wavelab.scene.model.sending.waveform import TimeFunction, Waveform
from wavelab.scene.recordings.recording import Recording, recording_in, stamp_of
from wavelab.scene.recordings.spline import AHEAD, Spline


@dataclass(frozen=True)
class FileWaveform(Waveform):
    """What a WAV or CSV file says, as a spline through its samples; 0 before and after.

    ``path`` can be opened as it stands, as the mesh file of a scene.  Without one there is silence.
    """

    calmer: ClassVar[str] = "a higher order, or a smaller pace of the file"

    path: Path | None = field(
        default=None, metadata=about("Of a WAV, or of a CSV of time and value")
    )
    pace: float = field(
        default=1.0, metadata=about("Seconds of the file that play in one unit of time")
    )
    delay: float = 0.0
    column: str = field(
        default="",
        metadata=about(
            "Name or number of the column of a CSV, or number of the channel of a WAV; empty for "
            "the one after the time, or the mean of all channels"
        ),
    )
    normalized: bool = field(
        default=True, metadata=about("Whether its largest value is made 1; otherwise as it is")
    )
    taper: float = field(
        default=0.01, metadata=about("Part of the file in which each end rises or falls")
    )

    def check(self, item: ItemPath, what: str) -> None:
        self._check_positive(item, what, "pace")
        require(
            0 <= self.taper <= 0.5,
            (*item, "taper"),
            f"taper of {what} is {self.taper:g}",
            "It is the part of the file that each end takes, 0 to 0.5.",
        )
        if self.path is None:
            return
        try:
            recording_in(self.path, self.column)
        except SceneError as error:
            raise ItemError(
                f"{what} has no waveform: {error.message}",
                remedy=error.remedy,
                item=(*item, "path"),
            ) from None

    def function(self) -> TimeFunction:
        if self.path is None:
            return TimeFunction.of("0", {}, self.delay, 0.0)
        stamp, as_is = stamp_of(self.path), replace(self, delay=0.0)
        spline = _spline(as_is, stamp)
        return TimeFunction(spline, self.delay, max(spline.end, 0.0))

    @property
    def silent(self) -> str:
        return "" if self.path is not None else "give its waveform a path, to a WAV or CSV file"

    @property
    def first_felt(self) -> float:
        if self.path is None:
            return self.delay
        found = recording_in(self.path, self.column)
        # A spline goes smoothly from 0 to the first sample.
        return self.delay + (found.start - AHEAD * found.spacing) / self.pace

    @property
    def lowest_frequency(self) -> float | None:
        """The strongest one."""
        return self._frequencies[0]

    @property
    def highest_frequency(self) -> float | None:
        return self._frequencies[1]

    @property
    def _frequencies(self) -> tuple[float | None, float | None]:
        band = None if self.path is None else _band(self.path, stamp_of(self.path), self.column)
        return (None, None) if band is None else (band[0] * self.pace, band[1] * self.pace)


@lru_cache(maxsize=8)
def _spline(wave: FileWaveform, stamp: tuple[int, int]) -> Spline:
    """In units of time, for as long as the file is what ``stamp`` says."""
    assert wave.path is not None
    found = recording_in(wave.path, wave.column)
    values = found.values * _envelope(found, wave.taper)
    largest = float(np.abs(values).max())
    if wave.normalized and largest > 0:
        values = values / largest
    return Spline.through(values, found.spacing / wave.pace, found.start / wave.pace)


def _envelope(recording: Recording, taper: float) -> Array:
    """(n,) raised cosines at both ends, as those of a chirp."""
    n = len(recording.values)
    if not taper:
        return np.ones(n)
    into = np.minimum(np.arange(n), np.arange(n)[::-1]) / (taper * (n - 1))
    return (1 - np.cos(np.pi * np.minimum(into, 1.0))) / 2


@lru_cache(maxsize=8)
def _band(path: Path, stamp: tuple[int, int], column: str) -> tuple[float, float] | None:
    return recording_in(path, column).band()
