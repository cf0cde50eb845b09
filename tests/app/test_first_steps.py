"""What a newcomer does first, and what the window says to it."""

from __future__ import annotations

from wavelab.app import edits
from wavelab.errors import WavelabError


def test_a_complaint_goes_when_a_later_scene_runs_and_not_before(driver):
    session, bar = driver.session, driver.window.message
    driver.bench.apply(edits.set_order(session.scene, 3))
    driver.bench.complain(WavelabError("that cannot be", remedy="Do this."))
    driver.settled()
    driver.next_frame()
    assert bar.is_error  # what was on its way before is no answer to it
    driver.bench.apply(edits.set_order(session.scene, 2))
    driver.settled()
    driver.until(lambda: not bar.is_error)


def test_a_complaint_about_the_scene_on_show_names_no_file(driver):
    bar = driver.window.message
    driver.bench.complain(WavelabError("a source is outside", where=driver.session.scene.where))
    assert bar.text == "A source is outside"
    driver.bench.complain(WavelabError("it is no scene", where="/else/where.toml"))
    assert bar.text.startswith("/else/where.toml: ")


def test_news_that_comes_twice_is_told_once(driver):
    bar = driver.window.message
    bar.clear()
    for _ in range(2):
        bar.inform("Picture saved as a.png")
    assert bar.text == "Picture saved as a.png"


def test_new_is_an_empty_room_that_can_be_rung_and_undo_brings_back_what_was(driver):
    before = driver.session.scene
    driver.press("Ctrl+N")
    driver.settled()
    scene = driver.session.scene
    assert scene.holes + scene.sources + scene.materials == ()
    assert scene.path is None
    assert not driver.session.modified
    driver.click(1.6, 1.0)
    driver.until(lambda: driver.bench.last_frame.ledger.pings > 0)
    walls = driver.bench.last_frame.ledger.pings
    driver.until(lambda: driver.bench.last_frame.ledger.walls > 0.5 * walls)
    driver.press("Ctrl+Z")
    driver.settled()
    assert driver.session.scene == before
