"""An error while painting must not take the program down."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavelab.app
from wavelab.scene.model.scene import Scene, Solver
from wavelab.scene.model.sending.placing import SourceSettings
from wavelab.scene.sources import placed_source
from wavelab.scene.walls import OpenWall

BOXES = ("region", "plane wave")


def test_a_painter_ends_with_an_exception(application):
    from wavelab.app.base.qt import QPixmap, painting

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
    assert makers == ["base/qt.py"]


def test_the_program_goes_on_after_an_error_in_a_paint_event(driver, monkeypatch):
    plot = driver.window.probe_panel.plot
    painted = []

    class Broken:
        @property
        def names(self):
            painted.append(plot)
            raise ZeroDivisionError("painting")

    monkeypatch.setattr(plot, "probe_series", Broken())
    plot.update()
    driver.until(lambda: driver.dialogs.errors)
    assert painted
    monkeypatch.undo()
    driver.next_frame()


def test_the_layer_of_an_open_wall_fades_towards_the_edge(application):
    from wavelab.app.base.qt import QColor, QPixmap, painting
    from wavelab.app.canvas.overlay.ink import Ink
    from wavelab.app.canvas.overlay.painting import paint_scene
    from wavelab.app.canvas.view_transform import ViewTransform
    from wavelab.output.scene_drawing import draw_scene

    walls = (OpenWall(("domain.bottom",), thickness=0.3),)
    drawing = draw_scene(Scene("s", Solver(0.1), walls=walls), None)
    picture = QPixmap(100, 100)
    picture.fill(QColor(255, 255, 255))
    with painting(picture) as painter:
        view = ViewTransform(100, 100, (0.5, 0.5), 100.0, 100.0)
        paint_scene(painter, drawing, view, Ink.for_palette("berlin"))
    image = picture.toImage()
    shades = [image.pixelColor(50, y).red() for y in (50, 75, 83, 90, 96)]
    assert shades[0] == 255
    assert all(deeper < before for before, deeper in pairwise(shades))


@pytest.mark.parametrize("kind", ["line", "array", "moving", "region", "plane wave"])
def test_a_source_that_is_more_than_a_point_is_drawn_where_it_is(application, kind):
    from wavelab.app.base.qt import QColor, QPixmap, painting
    from wavelab.app.canvas.overlay.ink import Ink
    from wavelab.app.canvas.overlay.painting import paint_scene
    from wavelab.app.canvas.view_transform import ViewTransform
    from wavelab.output.scene_drawing import draw_scene

    def rows(*sources) -> set[int]:
        """Of pixels in the middle of the picture that are not empty, the rows."""
        drawing = draw_scene(Scene("s", Solver(0.1), sources=sources), None)
        picture = QPixmap(200, 200)
        picture.fill(QColor(0, 0, 0))
        with painting(picture) as painter:
            view = ViewTransform(200, 200, (0.5, 0.5), 200.0, 200.0)
            paint_scene(painter, drawing, view, Ink.for_palette("berlin"))
        image = picture.toImage()
        # Lines may be dashed.
        columns = range(90, 110)
        return {
            y
            for y in range(10, 190)
            if any(image.pixelColor(x, y).lightness() > 60 for x in columns)
        }

    end = (0.8, 0.3 + 0.4 * (kind in BOXES))
    source = placed_source("s", SourceSettings(kind=kind), start=(0.2, 0.3), end=end)
    assert rows() == set()
    expected = {60, 140} if kind in BOXES else {140}
    found = rows(source)
    assert all(any(abs(y - near) <= 2 for y in found) for near in expected)


def test_the_words_of_a_tool_are_not_cut_off_at_the_edge(application):
    from wavelab.app.base.qt import QColor, QPixmap, painting
    from wavelab.app.canvas.overlay.ink import Ink
    from wavelab.app.canvas.overlay.tool_painting import paint_overlay
    from wavelab.app.canvas.view_transform import ViewTransform
    from wavelab.app.tools.tool import Overlay

    picture = QPixmap(200, 100)
    picture.fill(QColor(0, 0, 0))
    with painting(picture) as painter:
        view = ViewTransform(200, 100, (0.5, 0.5), 200.0, 200.0)
        overlay = Overlay(label="domain.right: absorbing", label_at=(0.95, 0.75))
        paint_overlay(painter, overlay, view, Ink.for_palette("berlin"))
    image = picture.toImage()
    lit = [
        (x, y) for x in range(200) for y in range(100) if image.pixelColor(x, y).lightness() > 128
    ]
    columns, rows = zip(*lit, strict=True)
    assert 4 <= min(columns) < 100 < max(columns) <= 195
    assert min(rows) >= 1


@given(names=st.lists(st.tuples(st.integers(60, 140), st.integers(60, 140)), max_size=2))
def test_the_words_of_a_tool_lie_over_no_names(application, names):
    """Those of what is dragged past a probe, and of two points close to each other."""
    from wavelab.app.base.qt import QImage, QRectF, painting
    from wavelab.app.canvas.overlay.ink import Ink
    from wavelab.app.canvas.overlay.tool_painting import paint_overlay
    from wavelab.app.canvas.view_transform import ViewTransform
    from wavelab.app.tools.tool import Label, Overlay

    picture = QImage(200, 200, QImage.Format_ARGB32_Premultiplied)
    taken = [QRectF(x, y, 30, 12) for x, y in names]
    labels = (Label("0.25", (0.5, 0.5)), Label("0.5", (0.5, 0.51)))
    with painting(picture) as painter:
        view = ViewTransform(200, 200, (0.5, 0.5), 200.0, 200.0)
        found = paint_overlay(
            painter, Overlay(labels=labels), view, Ink.for_palette("berlin"), taken
        )
    assert found[: len(taken)] == taken
    words = found[len(taken) :]
    assert len(words) == 2
    # There are four places for each, and two names leave one.
    assert not any(one.intersects(other) for one in words[:1] for other in taken)
    if len(taken) < 2:
        assert not any(words[1].intersects(other) for other in (*taken, words[0]))
