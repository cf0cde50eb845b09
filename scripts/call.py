"""Make the sound of the scene *A call and its echo* anew: a call that rises from 240 to 400 Hz.

python scripts/call.py
"""

from __future__ import annotations

import wave

import numpy as np

from wavelab.paths import SCENES

RATE, SECONDS, FIRST, LAST = 8000, 0.125, 240.0, 400.0


def samples() -> np.ndarray:
    """(n,) 16-bit numbers."""
    t = np.arange(round(RATE * SECONDS) + 1) / RATE
    turns = FIRST * t + (LAST - FIRST) * t**2 / (2 * SECONDS)
    call = np.sin(np.pi * t / SECONDS) ** 2 * np.sin(2 * np.pi * turns)
    return np.rint(call / np.abs(call).max() * (2**15 - 1)).astype("<i2")


if __name__ == "__main__":
    with wave.open(str(SCENES / "call.wav"), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples().tobytes())
