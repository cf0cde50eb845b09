"""A medium of the library, put where the user points."""

from __future__ import annotations

import pytest

from wavelab.app.panels.dialogs.media_dialog import MediaDialog
from wavelab.scene.media.library import entries, light_medium, named_entry
from wavelab.scene.poles import Drude, Lorentz

GLASS = light_medium("light", named_entry("light", "Water"), 1.0)


def test_the_background_is_filled_and_undo_brings_back_what_was(driver):
    before = driver.session.scene.background
    driver.dialogs.medium = (GLASS, 0.5)
    driver.window.actions_by_id["medium"].trigger()
    driver.settled()
    assert driver.session.running.scene.background == GLASS
    driver.window.actions_by_id["undo"].trigger()
    driver.settled()
    assert driver.session.running.scene.background == before
    driver.dialogs.medium = None  # who changes their mind
    driver.window.actions_by_id["medium"].trigger()
    assert driver.session.scene.background == before


def test_waves_without_a_library_are_told_so(driver):
    driver.dialogs.waves = "water"
    driver.window.actions_by_id["waves"].trigger()
    driver.settled()
    driver.window.actions_by_id["medium"].trigger()
    driver.until(lambda: "no media for these waves" in driver.window.message.text)


@pytest.mark.parametrize("physics", ["light", "sound", "membrane"])
def test_the_dialog_offers_all_of_them_with_their_sources(driver, physics):
    dialog = MediaDialog(driver.window, physics, 0.7)
    assert dialog.names.count() == len(entries(physics))
    for number in range(dialog.names.count()):
        dialog.names.setCurrentIndex(number)
        entry = named_entry(physics, dialog.names.currentData())
        assert entry.source in dialog.about.text()
        assert dialog.length.isEnabled() == entry.needs_length
        assert dialog.medium is not None
    dialog.deleteLater()


def test_the_length_of_a_unit_scales_the_poles(driver):
    dialog = MediaDialog(driver.window, "light", 1.0)
    dialog.names.setCurrentIndex(dialog.names.findData("Gold"))
    one = dialog.medium.poles
    dialog.length.set_value(0.5)
    half = dialog.medium.poles
    assert isinstance(one[0], Drude)
    assert isinstance(one[1], Lorentz)
    for whole, part in zip(one, half, strict=True):
        assert part.frequency == pytest.approx(whole.frequency / 2, rel=1e-5)
    dialog.deleteLater()
