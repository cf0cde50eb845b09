"""What a WAV or CSV file has recorded."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from wavelab.arrays import Array
from wavelab.errors import SceneError
from wavelab.reading import read_plain_file
from wavelab.scene.recordings.csv_file import read_csv
from wavelab.scene.recordings.spline import evenly_spaced, fast_length
from wavelab.scene.recordings.wav_file import read_wav

_Reader = Callable[[bytes, str, str], tuple[float | Array, Array]]

#: By the ending of a file: its reader, and the most bytes, read in a few tenths of a second.
READERS: dict[str, tuple[_Reader, int]] = {
    ".wav": (read_wav, 16_000_000),
    ".csv": (read_csv, 2_000_000),
}
#: Samples: 22 seconds of music.
MOST_SAMPLES = 1_000_000
#: Fewer than these are no course of anything.
LEAST_SAMPLES = 4
#: Part of the spacing by which times may be off for rounding.
_EVEN = 1e-6


@dataclass(frozen=True, eq=False)
class Recording:
    """Equally spaced samples.

    Attributes
    ----------
    values : (n,).
    spacing, start : time from one to the next, and of the first, in seconds of the file.
    """

    values: Array
    spacing: float
    start: float = 0.0

    @property
    def duration(self) -> float:
        """From the first to the last."""
        return (len(self.values) - 1) * self.spacing

    def band(self) -> tuple[float, float] | None:
        """The strongest frequency, and the one above which the spectrum stays below 1 % of that;
        None of what does not swing."""
        n = len(self.values)
        # Even a sine has all frequencies where it is cut off: not those are meant.
        window = np.hanning(n + 2)[1:-1]
        length = fast_length(max(n, 1 << 16))
        strength = np.abs(np.fft.rfft((self.values - self.values.mean()) * window, length))
        frequencies = np.fft.rfftfreq(length, self.spacing)
        if not strength.max() > 1e-9 * np.abs(self.values).sum() or not np.argmax(strength):
            return None
        heard = np.flatnonzero(strength >= 0.01 * strength.max())
        return float(frequencies[np.argmax(strength)]), float(frequencies[heard[-1]])


def recording_in(path: Path, column: str) -> Recording:
    """What a file has; read once for as long as it stays as it is.

    Parameters
    ----------
    column : name or number, from 1, of the column of a CSV file, or number of the channel of a WAV;
        "" is the column after the time, and the mean of all channels.

    Raises
    ------
    SceneError : names the file, what is wrong with it, and what would be right.
    """
    return _recording(path, stamp_of(path), column)


def stamp_of(path: Path) -> tuple[int, int]:
    """What is another once the file is written again.

    Raises
    ------
    SceneError : there is none.
    """
    if "\0" in str(path):
        raise SceneError("the name of the file has a zero byte")
    try:
        status = os.stat(path)
    except OSError as error:
        raise _unreadable(path, error) from None
    return status.st_mtime_ns, status.st_size


@lru_cache(maxsize=8)
def _recording(path: Path, stamp: tuple[int, int], column: str) -> Recording:
    reader, most = READERS.get(path.suffix.lower(), (None, 0))
    if reader is None:
        raise SceneError(
            f'"{path.name}" is no recording by its ending',
            remedy=f"It must be one of {', '.join(READERS)}: save it as such.",
        )
    try:
        content = read_plain_file(path, most + 1)
    except OSError as error:
        raise _unreadable(path, error) from None
    if len(content) > most:
        raise SceneError(
            f'"{path.name}" is larger than {most / 1e6:g} MB',
            remedy="Cut it, or save it with fewer samples in a second.",
        )
    times, values = reader(content, path.name, column)
    if len(values) < LEAST_SAMPLES:
        raise SceneError(
            f'"{path.name}" has {len(values)} samples',
            remedy=f"It must have {LEAST_SAMPLES} or more.",
        )
    found = even(times, values, path.name)
    if len(found.values) > MOST_SAMPLES:
        raise SceneError(
            f'"{path.name}" has {len(found.values):,} samples',
            remedy=f"Cut it to {MOST_SAMPLES:,} or fewer.",
        )
    if not found.values.any():
        raise SceneError(
            f'"{path.name}" is silent: all of its samples are 0',
            remedy="Choose another column or channel, or another file.",
        )
    return found


def even(times: float | Array, values: Array, name: str) -> Recording:
    """Equally spaced samples of what was recorded at these times.

    Parameters
    ----------
    times : (n,) ascending, or the time from one to the next.
    name : of the file, for messages.

    Raises
    ------
    SceneError : times lie so unevenly that there would be too many samples.
    """
    if isinstance(times, float):
        return Recording(values, times)
    gaps = np.diff(times)
    mean = float(times[-1] - times[0]) / len(gaps)
    if float(np.abs(gaps - mean).max()) < _EVEN * mean:
        return Recording(values, mean, float(times[0]))
    least = float(gaps.min())
    if (times[-1] - times[0]) / least > MOST_SAMPLES:
        raise SceneError(
            f'times in "{name}" lie from {least:.3g} to {gaps.max():.3g} apart',
            remedy=f"As close everywhere there would be more than {MOST_SAMPLES:,} samples: "
            "save it with more even times.",
        )
    return Recording(evenly_spaced(times, values, least), least, float(times[0]))


def _unreadable(path: Path, error: OSError) -> SceneError:
    if isinstance(error, FileNotFoundError):
        return SceneError(
            f'there is no file "{path}"',
            remedy="Its name is taken from where the scene file is.",
        )
    return SceneError(
        f'"{path}" cannot be read: {error.strerror}', remedy="Name a WAV or CSV file."
    )
