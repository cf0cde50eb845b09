"""The ping tool, driven by events without a window."""

from __future__ import annotations

import numpy as np
import pytest

from tests.app.tool_events import PIXEL, Calls, at, click, drag
from wavelab.app.tools.ping import PingTool
from wavelab.app.tools.tool import EMPTY


def ping_tool(calls, **keywords):
    """A tool whose pings become calls with x, y, radius and amplitude."""
    return PingTool(lambda p: calls(*p.position, p.radius, p.amplitude), **keywords)


def test_a_click_pings_once():
    calls = Calls()
    click(ping_tool(calls, radius=0.1, height=lambda: 2.0), 0.25, 0.5)
    assert calls == [(0.25, 0.5, 0.1, 2.0)]


def test_shift_turns_the_sign_of_a_ping_and_of_its_ring():
    calls = Calls()
    tool = ping_tool(calls)
    tool.move(at(0.5, 0.5))
    assert tool.overlay().rings[0].tone == "positive"
    click(tool, 0.5, 0.5, shift=True)
    assert calls[0][3] == -1.0
    assert tool.overlay().rings[0].tone == "negative"


def test_holding_the_button_repeats_the_ping_at_the_height_it_began_with():
    calls, height = Calls(), [2.0]
    tool = ping_tool(calls, radius=0.1, height=lambda: height[0], negative=True)
    assert not tool.hold()
    tool.press(at(0.5, 0.5, "left"))
    height[0] = 9.0
    assert tool.hold()
    tool.move(at(0.5, 0.5, "left", shift=True))
    tool.hold()
    assert calls == [(0.5, 0.5, 0.1, -2.0), (0.5, 0.5, 0.1, -2.0), (0.5, 0.5, 0.1, 2.0)]
    tool.release(at(0.5, 0.5, "left"))
    assert not tool.hold()
    assert len(calls) == 3


def test_only_the_left_button_pings():
    calls = Calls()
    ping_tool(calls).press(at(0.5, 0.5, "right"))
    assert calls == []


def test_a_trail_is_evenly_spaced_however_the_mouse_is_reported():
    coarse, fine = Calls(), Calls()
    drag(ping_tool(coarse, radius=0.1), (0.0, 0.0), (1.02, 0.0))
    tool = ping_tool(fine, radius=0.1)
    tool.press(at(0.0, 0.0, "left"))
    for x in np.linspace(0, 1.02, 37):
        tool.move(at(float(x), 0.0, "left"))
    assert np.allclose(coarse, fine)
    assert np.allclose(np.diff([call[0] for call in coarse]), 0.05)


def test_a_long_trail_is_as_high_as_a_click():
    calls = Calls()
    drag(ping_tool(calls, radius=0.1), (0.0, 0.0), (4.0, 0.0))
    x, _, radius, amplitude = np.array(calls[1:]).T
    height = np.sum(amplitude * np.exp(-((x - 2.0) ** 2) / (2 * radius**2)))
    assert height == pytest.approx(1.0, abs=1e-6)


def test_moving_without_the_button_leaves_no_trail():
    calls = Calls()
    tool = ping_tool(calls)
    click(tool, 0.0, 0.0)
    tool.move(at(1.0, 0.0))
    assert len(calls) == 1


def test_a_jump_across_a_huge_scene_adds_a_bounded_number_of_pings():
    calls = Calls()
    drag(ping_tool(calls, radius=1e-6), (0.0, 0.0), (1e3, 0.0))
    assert len(calls) <= 201


def test_brackets_change_the_radius_and_tell():
    told = Calls()
    tool = ping_tool(Calls(), radius=0.1, radius_changed=told)
    assert tool.key("]")
    assert tool.radius == pytest.approx(0.125)
    assert tool.key("[")
    assert tool.radius == pytest.approx(0.1)
    assert told == [(pytest.approx(0.125),), (pytest.approx(0.1),)]
    assert not tool.key("a")


def test_the_radius_stays_visible():
    tool = ping_tool(Calls(), radius=0.1)
    tool.move(at(0.5, 0.5))
    for _ in range(100):
        tool.key("[")
    assert tool.radius == pytest.approx(2 * PIXEL)


def test_the_ring_shows_the_radius_and_goes_with_the_pointer():
    tool = ping_tool(Calls(), radius=0.07)
    tool.move(at(0.3, 0.4))
    (ring,) = tool.overlay().rings
    assert (ring.center, ring.radius) == ((0.3, 0.4), 0.07)
    tool.leave()
    assert tool.overlay() == EMPTY
