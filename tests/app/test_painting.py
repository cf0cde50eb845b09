"""An error while painting must not take the program down."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import wavelab.app


def test_a_painter_ends_with_an_exception(application):
    from wavelab.app.qt import QPixmap, painting

    picture = QPixmap(4, 4)
    with pytest.raises(ZeroDivisionError), painting(picture) as painter:
        assert painter.isActive()
        raise ZeroDivisionError
    # The traceback keeps the painter alive, which is what Qt does not forgive.
    assert not painter.isActive()
    assert not picture.paintingActive()


def test_no_painter_is_made_in_another_way():
    room = Path(wavelab.app.__file__).parent
    makers = [
        path.relative_to(room).as_posix()
        for path in sorted(room.rglob("*.py"))
        if re.search(r"\bQPainter\(", path.read_text(encoding="utf-8"))
    ]
    assert makers == ["qt.py"]


def test_the_program_goes_on_after_an_error_in_a_paint_event(driver, monkeypatch):
    plot = driver.window.trace_panel.plot
    painted = []

    def fail(painter):
        painted.append(painter)
        raise ZeroDivisionError("painting")

    monkeypatch.setattr(plot, "_paint", fail)
    plot.update()
    driver.until(lambda: driver.dialogs.errors)
    assert painted
    monkeypatch.undo()
    driver.next_frame()
