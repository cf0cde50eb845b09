"""WAV files: RIFF with whole numbers of 8 to 32 bits, or floating point.

The module ``wave`` of Python reads no floating point, and trusts what the header says.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

import numpy as np

from wavelab.arrays import Array
from wavelab.errors import SceneError

_WHOLE, _FLOAT, _EXTENSIBLE = 1, 3, 0xFFFE
#: By format and bits: how NumPy reads a sample, and what it is divided by.
_SAMPLES = {
    (_WHOLE, 8): ("u1", 128.0),
    (_WHOLE, 16): ("<i2", 2.0**15),
    (_WHOLE, 24): ("u1", 2.0**31),
    (_WHOLE, 32): ("<i4", 2.0**31),
    (_FLOAT, 32): ("<f4", 1.0),
    (_FLOAT, 64): ("<f8", 1.0),
}
_SAVE = "Save it again as a WAV of 16 bits."


def read_wav(content: bytes, name: str, channel: str) -> tuple[float, Array]:
    """Seconds between two samples, and the samples (n,): 1 is full scale.

    Parameters
    ----------
    name : of the file, for messages.
    channel : number of the channel, from 1; "" is the mean of all.

    Raises
    ------
    SceneError : it is no WAV, or of an unusual kind.
    """
    if content[:4] != b"RIFF" or content[8:12] != b"WAVE":
        raise SceneError(f'"{name}" is no WAV file: it does not begin like one', remedy=_SAVE)
    chunks = dict(_chunks(content))
    head, data = chunks.get(b"fmt ", b""), chunks.get(b"data")
    if len(head) < 16 or data is None:
        noun = "samples" if data is None else "header"
        raise SceneError(f'"{name}" is cut off: it has no {noun}', remedy=_SAVE)
    kind, channels, rate, _, _, bits = struct.unpack("<HHIIHH", head[:16])
    if kind == _EXTENSIBLE and len(head) >= 26:
        (kind,) = struct.unpack("<H", head[24:26])
    if (kind, bits) not in _SAMPLES:
        raise SceneError(
            f'"{name}" is a WAV of format {kind} with {bits} bits, which is packed or unusual',
            remedy=_SAVE,
        )
    if not channels or not rate:
        noun = "channels" if not channels else "samples in a second"
        raise SceneError(f'"{name}" says that it has 0 {noun}', remedy=_SAVE)
    frames = len(data) // (channels * bits // 8)
    samples = _samples(data[: frames * channels * bits // 8], kind, bits)
    found = _channel(samples.reshape(frames, channels), channel, name)
    if not np.isfinite(found).all():
        raise SceneError(
            f'"{name}" has samples that are not finite, first at '
            f"{int(np.flatnonzero(~np.isfinite(found))[0]) / rate:.4g} s",
            remedy=_SAVE,
        )
    return 1 / rate, found


def _chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Name and content, the first of each name last; what is cut off ends where the file does."""
    at, found = 12, []
    while at + 8 <= len(content):
        name, length = struct.unpack("<4sI", content[at : at + 8])
        found.append((name, content[at + 8 : at + 8 + length]))
        at += 8 + length + length % 2
    return reversed(found)


def _samples(data: bytes, kind: int, bits: int) -> Array:
    dtype, full = _SAMPLES[kind, bits]
    raw = np.frombuffer(data, dtype)
    if bits == 24:  # the upper three bytes of four
        wide = np.zeros((len(raw) // 3, 4), np.uint8)
        wide[:, 1:] = raw.reshape(-1, 3)
        raw = wide.view("<i4").ravel()
    with np.errstate(invalid="ignore"):
        numbers = raw.astype(np.float64)
    return (numbers - 128.0 if bits == 8 else numbers) / full


def _channel(samples: Array, channel: str, name: str) -> Array:
    count = samples.shape[1]
    if not channel.strip():
        return samples.mean(axis=1)
    if channel.strip() not in map(str, range(1, count + 1)):
        noun = "1 channel" if count == 1 else f"channels 1 to {count}"
        raise SceneError(
            f'"{name}" has no channel "{channel}"',
            remedy=f"It has {noun}; leave the column empty for the mean of all.",
        )
    return samples[:, int(channel) - 1]
