"""A person listens to a probe."""

from __future__ import annotations

import sys
import types
import wave

import numpy as np
import pytest
from PyQt5.QtTest import QTest

from tests.app.conftest import STANDING_SCENE
from wavelab.app.base.qt import Qt, QtWidgets
from wavelab.app.edits.edits import remove_item
from wavelab.app.sound.speaker import open_speaker
from wavelab.app.sound.voice import LOUDEST
from wavelab.numerics.sound.partials import strongest_frequency

RATE = 48000
#: The standing wave, whose frequency is 1 / sqrt(2), is heard as 440 Hz.
PROBES = """
[[probes]]
name = "left"
position = [0.25, 0.5]
[[probes]]
name = "right"
position = [0.8, 0.4]
"""


class FakeSpeaker:
    """Takes what it is given."""

    rate, room = RATE, 4096

    def __init__(self):
        self.blocks: list[np.ndarray] = []
        self.lost = self.closed = self.widened = False
        self._waiting = 0

    @property
    def waiting(self) -> int:
        """Less at every look."""
        self._waiting //= 4
        return self._waiting

    def widen(self):
        self.widened = True

    def write(self, samples):
        self.blocks.append(samples)
        self._waiting += len(samples)

    def close(self):
        self.closed = True

    def newest(self, seconds: float) -> np.ndarray:
        return np.concatenate(self.blocks)[-round(seconds * RATE) :]


@pytest.fixture
def speakers(monkeypatch) -> list[FakeSpeaker]:
    made: list[FakeSpeaker] = []

    def opened() -> FakeSpeaker:
        made.append(FakeSpeaker())
        return made[-1]

    monkeypatch.setattr("wavelab.app.sound.speaker.open_speaker", opened)
    return made


@pytest.fixture
def humming(start, tmp_path):
    path = tmp_path / "hum.toml"
    path.write_text(STANDING_SCENE + PROBES, encoding="utf-8")
    driver = start(path)
    driver.press("U")  # as fast as possible
    return driver


def listen_button(driver):
    (button,) = [
        widget
        for widget in driver.window.probe_panel.findChildren(QtWidgets.QToolButton)
        if widget.defaultAction() is driver.window.actions_by_id["listen"]
    ]
    return button


def sounding(driver, speaker, seconds: float = 1.0) -> np.ndarray:
    """The newest sound, once all of it is full."""

    def full() -> bool:
        found = np.concatenate([np.zeros(1), *speaker.blocks])[-round(seconds * RATE) :]
        return len(found) == round(seconds * RATE) and np.abs(found[:4000]).max() > 0.01

    driver.until(full)
    return speaker.newest(seconds)


def test_a_probe_is_heard_steadily_until_it_is_enough(humming, speakers):
    driver = humming
    button = listen_button(driver)
    assert not driver.window.probe_panel.sound.isVisible()
    QTest.mouseClick(button, Qt.LeftButton)
    assert driver.window.probe_panel.sound.isVisible()
    assert button.isChecked()
    (speaker,) = speakers
    first = sounding(driver, speaker)
    driver.press("U")  # at the speed of the slider
    driver.press("Ctrl+Left")
    slower = sounding(driver, speaker)
    for found in (first, slower):
        assert strongest_frequency(found, 1 / RATE) == pytest.approx(440, rel=1e-3)
        assert np.abs(found).max() <= LOUDEST * 0.7**2 * (1 + 1e-9)
        assert np.abs(np.diff(found)).max() < LOUDEST * 2 * np.pi * 1000 / RATE
    driver.press("Shift+L")
    driver.until(lambda: speaker.closed)
    assert not button.isChecked()
    assert not driver.window.probe_panel.sound.isVisible()
    assert abs(speaker.blocks[-1][-1]) < 1e-9


def test_it_falls_silent_with_the_wave_and_by_hand_without_a_click(humming, speakers):
    driver = humming
    driver.press("Shift+L")
    (speaker,), bar = speakers, driver.window.probe_panel.sound

    def quiet() -> bool:
        return not np.abs(speaker.newest(0.1)).max() > 0

    sounding(driver, speaker, 0.2)
    driver.press("Space")
    driver.until(quiet)
    driver.press("Space")
    sounding(driver, speaker, 0.2)
    QTest.mouseClick(bar.mute, Qt.LeftButton)
    driver.until(quiet)
    QTest.mouseClick(bar.mute, Qt.LeftButton)
    sounding(driver, speaker, 0.2)
    bar.volume.setFocus()
    QTest.keyClick(bar.volume, Qt.Key_Home)
    driver.until(quiet)
    assert driver.program.preferences.volume == 0
    found = np.concatenate(speaker.blocks)
    assert np.abs(np.diff(found)).max() < LOUDEST * 2 * np.pi * 1000 / RATE


def test_a_pitch_that_was_typed_is_heard_and_remembered(humming, speakers):
    driver = humming
    driver.press("Shift+L")
    (speaker,), bar = speakers, driver.window.probe_panel.sound
    sounding(driver, speaker, 0.1)
    assert bar.hertz.value == pytest.approx(440 * np.sqrt(2), rel=1e-3)
    line = bar.hertz.lineEdit()
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, "400")
    QTest.keyClick(line, Qt.Key_Return)
    driver.until(lambda: driver.bench.sound.hertz == 400)
    written = len(speaker.blocks)
    driver.until(lambda: len(speaker.blocks) > written + 60)
    found = speaker.newest(0.8)
    assert strongest_frequency(found, 1 / RATE) == pytest.approx(400 / np.sqrt(2), rel=1e-3)
    assert driver.program.preferences.pitch == pytest.approx(400 / np.sqrt(2), rel=1e-3)


def test_the_menu_of_a_probe_lets_it_be_heard_and_its_removal_ends_that(humming, speakers):
    driver = humming
    menu = driver.program.context_menu.made_at(driver.place(0.8, 0.4))
    next(action for action in menu.actions() if action.text() == "Listen").trigger()
    menu.deleteLater()
    assert driver.window.probe_panel.sound.probe.currentText() == "right"
    driver.bench.editor.attempt(remove_item, "probes", "right")
    driver.until(lambda: speakers[0].closed)
    listen = driver.window.actions_by_id["listen"]
    assert not listen.isChecked()
    assert listen.isEnabled()
    driver.bench.editor.attempt(remove_item, "probes", "left")
    driver.until(lambda: not listen.isEnabled())
    driver.bench.sound.listen_to("left")
    assert "There is no probe to be heard" in driver.window.message.text
    assert len(speakers) == 1


def test_a_machine_without_sound_says_so_and_goes_on(humming, speakers, monkeypatch):
    driver, listen = humming, humming.window.actions_by_id["listen"]
    driver.press("Shift+L")
    speakers[0].lost = True
    driver.until(lambda: "The loudspeaker is gone" in driver.window.message.text)
    assert speakers[0].closed
    monkeypatch.setattr("wavelab.app.sound.speaker.open_speaker", open_speaker)
    monkeypatch.setitem(sys.modules, "PyQt5.QtMultimedia", None)
    driver.press("Shift+L")
    assert "No sound can be played" in driver.window.message.text
    assert not listen.isChecked()

    class NoDevice:
        def isNull(self):
            return True

    info = types.SimpleNamespace(defaultOutputDevice=NoDevice)
    silent = types.ModuleType("PyQt5.QtMultimedia")
    silent.QAudioDeviceInfo = info
    monkeypatch.setitem(sys.modules, "PyQt5.QtMultimedia", silent)
    monkeypatch.setattr("PyQt5.QtMultimedia", silent, raising=False)
    driver.press("Shift+L")
    assert "has nothing to play sound on" in driver.window.message.text
    assert not listen.isChecked()
    driver.next_frame()


def test_what_was_recorded_is_saved_as_sound(humming, tmp_path):
    driver = humming
    driver.until(lambda: len(driver.bench.probe_series.times) > 0)
    driver.until(lambda: driver.bench.probe_series.times[-1] > 15)
    driver.dialogs.path = tmp_path / "hum.wav"
    driver.press("Ctrl+Shift+T")
    driver.until(lambda: "saved as" in driver.window.message.text)
    for name in ("left", "right"):
        with wave.open(str(tmp_path / f"hum_{name}.wav"), "rb") as file:
            found = np.frombuffer(file.readframes(file.getnframes()), "<i2") / 2**15
        assert strongest_frequency(found, 1 / RATE) == pytest.approx(440, rel=1e-2)
