"""The message over the canvas: news together, few lines, and no error that nobody could read."""

from __future__ import annotations

import pytest
from PyQt5.QtTest import QTest

from wavelab.app.panels import message_bar
from wavelab.app.qt import Qt, QtWidgets


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
