"""Sound as WAV files: one channel of 16 bits, which everything plays."""

from __future__ import annotations

import os
import wave

import numpy as np

from wavelab.arrays import Array
from wavelab.atomic import whole_file

SUFFIXES = (".wav",)
#: Samples in a second.
RATE = 48_000


def write_wav(path: str | os.PathLike[str], values: Array) -> None:
    """Write samples (n,), 1 of which is full scale; what is beyond is cut.

    Raises
    ------
    OutputError : the file cannot be written there.
    """
    whole = np.rint(np.clip(values, -1.0, 1.0) * (2**15 - 1)).astype("<i2")
    with whole_file(path, SUFFIXES) as partial, wave.open(str(partial), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(whole.tobytes())
