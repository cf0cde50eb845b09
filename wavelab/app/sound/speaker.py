"""The loudspeaker, as Qt's multimedia module plays to it."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from wavelab.arrays import Array
from wavelab.errors import WavelabError

#: Samples in a second, the better first; channels.
_RATES, _CHANNELS = (48_000, 44_100), (1, 2)
#: Seconds of sound that can wait to be played: at first, where the window is busy for a tenth now
#: and then, and at most.
_WAITING, _MOST_WAITING = 0.25, 1.0
_REMEDY = "Save the sound instead: Save probe series, as WAV."


class Speaker(Protocol):
    """Plays samples in the order in which they are written.

    Attributes
    ----------
    rate : samples in a second.
    """

    rate: int

    @property
    def room(self) -> int:
        """Samples that can be written now."""

    @property
    def waiting(self) -> int:
        """Samples that were written and have still to be played."""

    @property
    def lost(self) -> bool:
        """Whether it is gone: unplugged, or taken away."""

    def write(self, samples: Array) -> None:
        """Play (n,) samples from -1 to 1 next; n is ``room`` at most."""

    def widen(self) -> None:
        """Let more wait from now on, as nothing did in time."""

    def close(self) -> None:
        """Let it go."""


def open_speaker() -> Speaker:
    """The one that the system plays to.

    Raises
    ------
    WavelabError : there is none, or what would play to it is missing.
    """
    try:
        # Only here: it needs libraries of a sound system, which not every machine has.
        from PyQt5 import QtCore, QtMultimedia
    except ImportError as error:
        raise WavelabError(
            f"no sound can be played: {error}",
            remedy=f"Install the library; on Debian and Ubuntu: apt install "
            f"libpulse-mainloop-glib0. {_REMEDY}",
        ) from None
    before = QtCore.qInstallMessageHandler(lambda *_: None)
    try:
        # Where no sound server runs Qt complains to the terminal; we tell the user.
        device = QtMultimedia.QAudioDeviceInfo.defaultOutputDevice()
    finally:
        QtCore.qInstallMessageHandler(before)
    if device.isNull():
        raise WavelabError("this machine has nothing to play sound on", remedy=_REMEDY)
    for channels in _CHANNELS:
        for rate in _RATES:
            wanted = _format(QtMultimedia, rate, channels)
            if device.isFormatSupported(wanted):
                return QtSpeaker(QtMultimedia, device, wanted)
    raise WavelabError(
        f'"{device.deviceName()}" plays no sound of 16 bits at 44.1 or 48 kHz', remedy=_REMEDY
    )


def _format(multimedia: Any, rate: int, channels: int) -> Any:
    found = multimedia.QAudioFormat()
    found.setCodec("audio/pcm")
    found.setSampleRate(rate)
    found.setChannelCount(channels)
    found.setSampleSize(16)
    found.setSampleType(multimedia.QAudioFormat.SignedInt)
    found.setByteOrder(multimedia.QAudioFormat.LittleEndian)
    return found


class QtSpeaker:
    """One of Qt's devices.

    Raises
    ------
    WavelabError : it does not open.
    """

    def __init__(self, multimedia: Any, device: Any, wanted: Any) -> None:
        self.rate: int = wanted.sampleRate()
        self._channels: int = wanted.channelCount()
        # That it has nothing to play is none: the window was busy.
        self._fine = (multimedia.QAudio.NoError, multimedia.QAudio.UnderrunError)
        self._output = multimedia.QAudioOutput(device, wanted)
        self._start(_WAITING)
        if self._pipe is None or self._output.error() not in self._fine:
            self._output.stop()
            raise WavelabError(
                f'"{device.deviceName()}" cannot be opened to play sound',
                remedy=f"Another program may hold it. {_REMEDY}",
            )

    @property
    def _frame(self) -> int:
        """Bytes of a sample in all channels."""
        return 2 * self._channels

    def _start(self, waiting: float) -> None:
        self._waiting = waiting
        self._output.setBufferSize(round(waiting * self.rate) * self._frame)
        self._pipe = self._output.start()

    @property
    def room(self) -> int:
        return int(self._output.bytesFree()) // self._frame

    @property
    def waiting(self) -> int:
        output = self._output
        return int(output.bufferSize() - output.bytesFree()) // self._frame

    @property
    def lost(self) -> bool:
        return self._output.error() not in self._fine

    def write(self, samples: Array) -> None:
        whole = np.rint(np.clip(samples, -1.0, 1.0) * (2**15 - 1)).astype("<i2")
        self._pipe.write(np.repeat(whole, self._channels).tobytes())

    def widen(self) -> None:
        if self._waiting < _MOST_WAITING:
            self._output.stop()
            self._start(min(2 * self._waiting, _MOST_WAITING))

    def close(self) -> None:
        self._output.stop()
