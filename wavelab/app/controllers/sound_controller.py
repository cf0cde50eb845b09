"""Lets a probe be heard while the wave runs."""

from __future__ import annotations

import numpy as np

from wavelab.app.base.qt import QObject, QTimer, Signal
from wavelab.app.controllers.editor import Editor
from wavelab.app.panels.fields.number_fields import rounded
from wavelab.app.session.probe_series import ProbeSeries
from wavelab.app.session.selection import Selection
from wavelab.app.session.session import Session
from wavelab.app.sound import speaker as speakers
from wavelab.app.sound.speaker import Speaker
from wavelab.app.sound.voice import Voice
from wavelab.app.window.window import Window
from wavelab.errors import WavelabError
from wavelab.numerics.sound.oscillators import Oscillators
from wavelab.numerics.sound.partials import NONE, Partials
from wavelab.scene.systems.scale import scale_of
from wavelab.simulation.records.probe_sound import (
    TONE,
    known_frequency,
    recorded_frequency,
    true_hertz,
)

#: Samples in which a tone becomes another, and that are worth to be written; milliseconds between
#: two looks at the loudspeaker.
_BLOCK, _LEAST, _TURN = 1024, 480, 20
#: Looks in which a loudspeaker that is let go may play what it still has: twice what that can be.
_PATIENCE = 100
#: Samples of a record that are looked through for its strongest frequency.
_RECORDED = 1 << 16


class SoundController(QObject):
    """Emits ``changed()`` when the volume or the pitch is another, which are to be remembered.

    Attributes
    ----------
    volume : 0 to 1.
    pitch : hertz that the frequency of a scene is heard as.
    probe : the name of the one that is heard.
    """

    changed = Signal()

    def __init__(
        self,
        session: Session,
        editor: Editor,
        selection: Selection,
        probe_series: ProbeSeries,
        window: Window,
    ) -> None:
        super().__init__()
        self._session, self._editor, self._selection = session, editor, selection
        self._probe_series, self._window = probe_series, window
        self._bar = bar = window.probe_panel.sound
        self.volume, self.pitch, self.probe = 0.7, TONE, ""
        self._muted, self._hertz = False, 0.0  # 0: it is to be chosen
        self._scale = scale_of(session.scene)
        self._ending, self._patience = False, 0
        self._speaker: Speaker | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(_TURN)
        self._timer.timeout.connect(self.turn)
        bar.probe_wished.connect(self.listen_to)
        bar.hertz_wished.connect(self._hertz_wished)
        bar.volume_wished.connect(self._volume_wished)
        bar.muted_wished.connect(self._muted_wished)

    @property
    def listening(self) -> bool:
        """Whether a probe is to be heard."""
        return self._speaker is not None and not self._ending

    @property
    def hertz(self) -> float:
        """What the frequency 1 is heard as: what it is, in a scene with units that can be heard.
        It stays while an experiment is changed, so that another frequency is another tone."""
        if not self._hertz and (frequency := self._frequency()):
            true = true_hertz(self._session.scene, frequency)
            self._hertz = true or rounded(self.pitch / frequency)
        return self._hertz or self.pitch

    def _frequency(self) -> float | None:
        """That of the sources, or else the strongest that was recorded, once that can be told."""
        if (known := known_frequency(self._session.scene)) is not None:
            return known
        series = self._probe_series
        values, floor = series.values[-_RECORDED:], self._window.probe_panel.plot.floor
        if not np.abs(values).max(initial=0.0) > floor:
            return None
        return recorded_frequency(series.times[-_RECORDED:], values)

    def toggle(self) -> None:
        """Listen, or no more: to the probe that is chosen, or to the one that was heard last."""
        if self.listening:
            self.stop()
            return
        item = self._selection.item
        probes = self._session.scene.probes
        chosen = probes[int(item[1])].name if item[0] == "probes" else self.probe
        self.listen_to(chosen)

    def listen_to(self, name: str) -> None:
        """Hear a probe, the first one if there is none of that name."""
        names = [probe.name for probe in self._session.scene.probes]
        if not names:
            remedy = "Press B and click into the field to place one."
            self._editor.complain(WavelabError("there is no probe to be heard", remedy=remedy))
            self._show()
            return
        self.probe = name if name in names else names[0]
        if self._speaker is None:
            try:
                self._speaker = speakers.open_speaker()
            except WavelabError as error:
                self._editor.complain(error)
                self._show()
                return
            self._fed = False
            self._oscillators = Oscillators(self._speaker.rate)
            self._voice = Voice(0.45 * self._speaker.rate)
            self._timer.start()
        self._ending = False
        if not self._window.bare:
            self._window.probe_dock.show()
            self._window.probe_dock.raise_()
        self._show()

    def stop(self) -> None:
        """Let the tone fade, and the loudspeaker go."""
        self._ending, self._patience = True, _PATIENCE
        self._show()

    def turn(self) -> None:
        """Fill up what waits to be played."""
        speaker = self._speaker
        if speaker is None:
            return
        if speaker.lost:
            self.close()
            self._editor.complain(
                WavelabError(
                    "the loudspeaker is gone", remedy="Connect it, and listen again (Shift+L)."
                )
            )
            return
        waiting = speaker.waiting
        if self._ending and self._oscillators.silent:
            self._patience -= 1
            if not waiting or self._patience < 0:
                self.close()
            return
        dry = self._fed and not waiting
        if dry:  # the window is busier than was thought
            speaker.widen()
        room = speaker.room
        if room < _LEAST:
            return
        now, self._fed = self._now(room / speaker.rate), True
        # All of it: some do not begin to play before what can wait is there.
        for start in range(0, room, _BLOCK):
            samples = self._oscillators.played(now, min(_BLOCK, room - start))
            if dry and not start:  # without a jump out of the silence
                samples = samples * np.linspace(0, 1, len(samples))
            speaker.write(samples)

    def _now(self, seconds: float) -> Partials:
        """What is to be heard of the wave as it is."""
        series = self._probe_series
        if self._ending or not self._session.solver.playing or self.probe not in series.names:
            return NONE
        values = series.values[:, series.names.index(self.probe)]
        floor = self._window.probe_panel.plot.floor
        before = self._hertz
        found = self._voice.heard(series.times, values, self.hertz, floor=floor, seconds=seconds)
        if self._hertz != before:
            self._show()
        return found.scaled(1.0, 0.0 if self._muted else self.volume**2)

    def scene_changed(self) -> None:
        """Its probes may be others, and its units."""
        if (scale := scale_of(self._session.scene)) != self._scale:
            self._hertz, self._scale = 0.0, scale
        names = [probe.name for probe in self._session.scene.probes]
        if self.listening and self.probe not in names:
            self.stop()
        self._show()

    def begun_anew(self) -> None:
        """Another experiment has a pitch of its own."""
        self._hertz = 0.0
        self._show()

    def close(self) -> None:
        """Let the loudspeaker go at once."""
        self._timer.stop()
        if self._speaker is not None:
            self._speaker.close()
        self._speaker, self._ending = None, False
        self._show()

    def _show(self) -> None:
        self._window.actions_by_id["listen"].setChecked(self.listening)
        names = [probe.name for probe in self._session.scene.probes]
        self._bar.show_sound(names, self.probe, self.hertz, self.volume, self._muted)
        self._bar.setVisible(self.listening)

    def _hertz_wished(self, hertz: float) -> None:
        frequency = self._frequency()
        self.pitch = hertz * frequency if frequency else self.pitch * hertz / self.hertz
        self._hertz = hertz
        self.changed.emit()
        self._show()

    def _volume_wished(self, volume: float) -> None:
        self.volume = volume
        self._muted = False
        self.changed.emit()
        self._show()

    def _muted_wished(self, muted: bool) -> None:
        self._muted = muted
        self._show()
