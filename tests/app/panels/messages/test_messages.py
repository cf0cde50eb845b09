"""The message over the canvas: news together, few lines, and no error that nobody could read."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PyQt5.QtTest import QTest

from tests.sample_scenes import boxed
from wavelab.app.base.qt import Qt, QtWidgets
from wavelab.app.edits.domain_edits import cut_hole
from wavelab.app.edits.edits import Edit
from wavelab.app.panels.messages import message_bar
from wavelab.scene.model.shapes import Rectangle
from wavelab.scene.sources import PointSource
from wavelab.scene.waveforms import Sine


@pytest.fixture
def bar(application, monkeypatch):
    """A message bar whose clock the test moves: ``bar.later(seconds)``."""
    clock = [1000.0]
    monkeypatch.setattr(message_bar.time, "monotonic", lambda: clock[0])
    canvas = QtWidgets.QWidget()
    canvas.resize(600, 400)
    made = message_bar.MessageBar(canvas)
    made.later = lambda seconds: clock.__setitem__(0, clock[0] + seconds)
    canvas.show()
    assert QTest.qWaitForWindowExposed(canvas)
    yield made
    canvas.close()
    canvas.deleteLater()


def on_show(bar) -> list[str]:
    labels = [x for x in bar.findChildren(QtWidgets.QLabel) if not x.isHidden()]
    return [line for label in labels for line in label.text().splitlines()]


def test_much_news_takes_few_lines_and_all_of_it_can_be_read(bar):
    for number in range(8):
        bar.inform(f"news {number}")
    assert bar.text.splitlines() == [f"News {number}" for number in range(8)]
    assert on_show(bar) == ["News 4", "News 5", "News 6", "News 7"]
    assert not bar.more.isHidden()
    assert bar.more.text() == "4 more"
    low = bar.height()
    QTest.mouseClick(bar.more, Qt.LeftButton)
    assert len(on_show(bar)) == 8
    assert bar.more.isHidden()
    assert bar.height() > low
    # Long news count by the lines that they take; the newest is always whole.
    bar.clear()
    bar.inform("a short one")
    bar.inform("many words " * 60)
    assert on_show(bar) == ["M" + ("many words " * 60)[1:]]
    assert bar.more.text() == "1 more"


def test_an_error_stays_until_it_could_be_read(bar):
    bar.inform("Reading\u2026")
    bar.complain("No room on the disk", "Remove something.")
    bar.inform("Movie saved")
    assert bar.is_error
    assert on_show(bar) == ["No room on the disk", "Remove something.", "Movie saved"]
    # One that comes at the same time is told too, one that comes later alone.
    bar.complain("The mesh is wrong", "Draw it again.")
    also = "Also: No room on the disk. Remove something."
    assert on_show(bar) == ["The mesh is wrong", "Draw it again.", also]
    bar.later(4.0)
    bar.complain("Another thing")
    assert bar.text == "Another thing"
    bar.later(60.0)
    bar.inform("Saved")
    assert not bar.is_error
    assert bar.text == "Saved"


def test_what_is_out_of_date_goes_and_the_rest_stays(bar):
    bar.complain("Not so", "But so.")
    bar.inform("the first")
    bar.inform("the second")
    bar.forgive()
    assert not bar.is_error
    assert on_show(bar) == ["The first", "The second"]
    bar.withdraw("the first")
    assert on_show(bar) == ["The second"]
    bar.withdraw("the second")
    assert bar.isHidden()
    assert bar.text == ""


def test_a_question_comes_back_after_an_error(bar):
    chosen = []
    bar.inform("Not saved.", buttons={"Restore": lambda: chosen.append(1)}, comes_back=True)
    bar.complain("Wrong")
    QTest.mouseClick(bar.dismiss, Qt.LeftButton)
    assert bar.text == "Not saved."
    QTest.mouseClick(bar.button("Restore"), Qt.LeftButton)
    assert chosen == [1]
    assert bar.isHidden()


def test_what_is_said_of_an_edit_is_withdrawn_with_it(driver):
    message = driver.window.message
    driver.press("B")
    driver.click(0.5, 0.5)
    driver.settled()
    hole = cut_hole(driver.session.scene, Rectangle((0.4, 0.4), (0.6, 0.6)))
    driver.bench.editor.apply(hole)
    assert "probe" in message.text
    assert "undoes it" in message.text
    driver.settled()
    driver.press("Ctrl+Z")
    driver.settled()
    assert "undoes it" not in message.text
    driver.bench.editor.apply(hole)
    message.inform("Saved.")
    driver.bench.editor.apply(cut_hole(driver.session.scene, Rectangle((0.1, 0.1), (0.2, 0.2))))
    assert "undoes it" not in message.text
    assert "Saved." in message.text


def test_what_is_said_of_a_mesh_is_withdrawn_with_it(driver):
    message, scene = driver.window.message, driver.session.scene
    fast = PointSource("fast", (0.5, 0.5), 0.05, 1.0, Sine(40.0))
    driver.bench.editor.apply(Edit("Add source", replace(scene, sources=(fast,))))
    driver.settled()
    driver.until(lambda: "points per wavelength" in message.text)
    driver.press("Ctrl+Z")
    driver.settled()
    assert "points per wavelength" not in message.text


def test_a_long_message_has_the_width_of_its_bar_in_a_narrow_window(driver):
    message = driver.window.message
    for width in (1000, 820, 760, 720):
        driver.window.resize(width, 700)
        message.inform("Add obstacle: left out what is not inside (source, probe). " * 2)
        driver.application.processEvents()
        label = message.findChild(QtWidgets.QLabel)
        assert label.width() > 0.7 * message.width()


def test_news_do_not_push_each_other_away_but_old_ones_go(driver, monkeypatch):
    bar = driver.window.message
    bar.clear()
    bar.inform("first")
    bar.inform("second")
    assert bar.text == "First\nSecond"
    assert bar.height() >= bar.layout().heightForWidth(bar.width())
    # A question is not news, and stands where all of it can be read, above long answers.
    answers = {f"an answer that takes some room, number {i}": lambda: None for i in range(3)}
    bar.inform("a question " * 20, buttons=answers)
    assert "Second" not in bar.text
    driver.application.processEvents()
    (label,) = (x for x in bar.findChildren(QtWidgets.QLabel) if x.text().startswith("A question"))
    assert label.height() >= label.heightForWidth(label.width())
    assert label.width() >= 320
    assert all(bar.rect().contains(bar.button(text).geometry()) for text in answers)
    bar.clear()
    monkeypatch.setattr("wavelab.app.panels.messages.message_bar.TOGETHER", 0.0)
    bar.inform("third")
    assert bar.text == "Third"
    bar.complain("wrong", "right")
    assert bar.text == "wrong\nright"
    assert bar.is_error


STAR = boxed(
    "Star",
    """\
[[holes]]
name = "star"
shape = "polygon"
vertices = [[0.4996, 0.5], [0.4, 0.55], [0.35, 0.7], [0.3, 0.55], [0.1, 0.5], [0.3, 0.45],
  [0.35, 0.3], [0.4, 0.45]]
[[materials]]
name = "glass"
epsilon = 2.25
shape = "rectangle"
lower = [0.5, 0]
upper = [1, 1]
[solver]
element_size = 0.1
order = 2
""",
)


def test_what_makes_the_wave_slow_is_named_and_there_is_a_way_out(start, tmp_path):
    path = tmp_path / "star.toml"
    path.write_text(STAR)
    driver = start(path)
    message, running = driver.window.message, driver.session.running
    assert '"star"' in message.text
    assert '"glass"' in message.text
    assert "times smaller than the element size" not in message.text
    assert not message.is_error
    short = running.problem.dt_max
    # Asked for, the doctor shows the place.
    QTest.mouseClick(message.button("Show where"), Qt.LeftButton)
    doctor = driver.bench.studies["doctor"].dialog
    driver.until(doctor.isVisible)
    doctor.close()
    # Said once: another edit that leaves it as it is does not say it again.
    driver.window.mesh_panel.order_wished.emit(3)
    driver.settled()
    assert message.text == ""
    # Moved away, nothing is to be said.
    scene = driver.session.scene
    star = scene.holes[0]
    away = replace(star, shape=star.shape.shifted((-0.05, 0)))
    driver.session.open(replace(scene, holes=(away,)))
    driver.settled()
    assert driver.session.running.slow is None
    driver.session.open(scene)
    driver.until(lambda: '"star"' in message.text)
    QTest.mouseClick(message.button("Step locally"), Qt.LeftButton)
    driver.settled()
    assert driver.session.running.scene.solver.stepper == "local"
    assert driver.session.running.problem.dt_max > 3 * short
    assert "slow" not in message.text
