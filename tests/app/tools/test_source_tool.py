"""The source tool and the pan tool, driven by events without a window."""

from __future__ import annotations

import pytest

from tests.app.fake_sources import FakeSources
from tests.app.tool_events import PIXEL, at, click, drag
from wavelab.app.tools.pan import PanTool
from wavelab.app.tools.source import SourceTool
from wavelab.app.tools.tool import EMPTY


def test_a_click_places_a_source_and_a_click_on_one_shows_its_properties():
    sources = FakeSources()
    tool = SourceTool(sources)
    click(tool, 0.3, 0.4)
    assert sources.calls == [("place", (0.3, 0.4), (0.3, 0.4))]
    tool.move(at(0.2, 0.8))
    assert tool.overlay().label == "by click"  # what would be placed
    tool.move(at(0.505, 0.5))
    assert "properties of lamp" in tool.hint
    click(tool, 0.505, 0.5)
    assert sources.calls[1:] == [("choose", "lamp")]
    tool.move(at(0.505, 0.5))
    assert tool.key("Delete")
    assert sources.calls[2:] == [("remove", "lamp")]


def test_a_source_is_taken_anywhere_along_its_line():
    sources = FakeSources()
    tool = SourceTool(sources)
    place, _ = sources.grips(PIXEL)
    tool.move(at(0.62, 0.61))
    assert tool.overlay().strokes[0].points == ((0.5, 0.5), (0.7, 0.7))
    drag(tool, (0.62, 0.62), (0.72, 0.52))
    ((name, grip, event, edge),) = sources.calls
    assert (name, grip, edge) == ("change", place, None)
    assert event.point == pytest.approx((0.6, 0.4))  # its middle goes as far as the hand does
    click(tool, 0.62, 0.62)
    assert sources.calls[1:] == [("choose", "lamp")]


def test_a_handle_is_dragged_and_escape_leaves_it():
    sources = FakeSources()
    tool = SourceTool(sources)
    place, end = sources.grips(PIXEL)
    drag(tool, (0.5, 0.5), (0.7, 0.6))
    assert sources.calls == [("change", place, at(0.7, 0.6, "left"), None)]
    tool.move(at(0.9, 0.9))
    assert "the end of lamp" in tool.hint
    tool.press(at(0.9, 0.9, "left"))
    tool.release(at(0.9, 0.9, "left"))  # a click on an end is one on its source
    assert sources.calls.pop() == ("choose", "lamp")
    tool.move(at(0.9, 0.9))
    tool.press(at(0.9, 0.9, "left"))
    tool.move(at(1.0, 0.6, "left"))
    assert tool.overlay().pending == ((0.9, 0.9), (1.0, 0.6))
    assert tool.overlay().label == "end right"
    tool.key("Escape")
    tool.release(at(0.7, 0.6, "left"))
    assert len(sources.calls) == 1
    drag(tool, (0.9, 0.9), (1.0, 0.6), shift=True)
    assert sources.calls[1:] == [("change", end, at(1.0, 0.6, "left", shift=True), "right")]


@pytest.mark.parametrize(("placing", "corners"), [("line", 2), ("box", 4)])
def test_a_source_that_is_dragged_shows_where_it_will_be(placing, corners):
    sources = FakeSources(placing)
    tool = SourceTool(sources)
    assert placing in tool.hint
    click(tool, 0.2, 0.2)
    assert sources.calls == []  # too short
    tool.press(at(0.2, 0.3, "left"))
    tool.move(at(0.7, 0.6, "left"))
    overlay = tool.overlay()
    assert len(overlay.line) == corners
    assert overlay.closed == (placing == "box")
    tool.release(at(0.7, 0.6, "left"))
    assert sources.calls == [("place", (0.2, 0.3), (0.7, 0.6))]
    assert tool.overlay().line == ()


def test_a_wave_goes_in_through_the_edges_that_were_clicked_or_dragged_over():
    sources = FakeSources("edges")
    tool = SourceTool(sources)
    tool.move(at(0.005, 0.3))
    assert [stroke.tone for stroke in tool.overlay().strokes] == ["hover"]
    assert tool.overlay().label == "left"
    assert tool.hint.endswith("Shift+click: beam comes in here too")
    click(tool, 0.005, 0.3)
    click(tool, 0.3, 0.3)  # no edge there
    tool.press(at(0.0, 0.2, "left"))
    tool.move(at(0.3, 0.0, "left"))
    assert tool.hint.startswith("Release to send the wave in through left, bottom")
    tool.release(at(0.5, 0.4, "left"))
    click(tool, 1.0, 0.3, shift=True)
    assert sources.calls == [
        ("send_in", ("left",)), ("send_in", ("left", "bottom")), ("toggle", "right"),
    ]  # fmt: skip


def test_an_edge_that_no_mode_comes_through_says_why():
    sources = FakeSources("edge")
    tool = SourceTool(sources)
    tool.move(at(0.3, 1.0))
    assert tool.hint == "No guide"
    assert tool.overlay().strokes[0].tone == "faint"
    tool.press(at(0.0, 0.2, "left"))
    tool.move(at(0.3, 0.0, "left"))
    tool.release(at(0.3, 0.0, "left"))
    assert sources.calls == [("send_in", ("left",))]  # a mode has one edge
    tool.press(at(0.0, 0.2, "left"))
    tool.key("Escape")
    tool.release(at(0.0, 0.2, "left"))
    assert len(sources.calls) == 1


def test_the_hand_leaves_everything_to_the_canvas():
    tool = PanTool()
    tool.press(at(0, 0, "left"))
    assert tool.overlay() == EMPTY
