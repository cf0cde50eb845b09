"""The table of tools."""

from __future__ import annotations

import inspect

import pytest
import qtawesome

from tests.app.fake_sources import FakeSources
from tests.app.measuring_bench import MeasuringBench
from tests.app.tool_events import Calls
from wavelab.app.tools import TOOLS
from wavelab.app.tools.measuring.monitor_dragging import MonitorHand
from wavelab.app.tools.tool import Tool


def test_every_tool_is_offered_under_its_own_key_letter_and_icon():
    assert all(issubclass(tool, Tool) for tool in TOOLS.values())
    assert len({info.shortcut for info in TOOLS.values()}) == len(TOOLS)
    assert len({info.icon for info in TOOLS.values()}) == len(TOOLS)


def made(key: str):
    """A tool of each kind."""
    needed = {"pan": (), "ruler": (), "source": (FakeSources(),), "probe": (MeasuringBench(),)}
    return TOOLS[key](*needed.get(key, (Calls(),)))


@pytest.mark.parametrize("key", TOOLS)
def test_every_factory_makes_a_tool_that_explains_itself(key):
    tool = made(key)
    assert len(tool.hint) > 10
    assert tool.cursor in ("cross", "hand", "none")
    assert not tool.wants_key("q")


@pytest.mark.parametrize("key", TOOLS)
def test_the_gestures_of_a_tool_name_every_key_it_listens_to(key):
    tool = made(key)
    told = " ".join(gesture for gesture, _ in tool.gestures)
    assert told
    bases = type(tool).__mro__[: type(tool).__mro__.index(Tool)]
    code = "".join(map(inspect.getsource, bases))
    names = {"Escape": "Esc", "Tab": "Tab", "Backspace": "Backspace", "Delete": "Delete"}
    if key == "probe":
        code += inspect.getsource(MonitorHand)  # a part of it
    else:
        names["Enter"] = "Enter"  # it hands that on to the tool that draws a polygon
    for name, word in names.items():
        assert (f'"{name}"' in code) == (word in told), name
    for name in ("shift", "alt"):
        assert (f"event.{name}" in code or name.title() in told) == (name.title() in told)


@pytest.mark.parametrize("info", TOOLS.values(), ids=list(TOOLS))
def test_every_icon_exists(info):
    import json
    from pathlib import Path

    prefix, name = info.icon.split(".")
    assert prefix == "ph"
    (charmap,) = (Path(qtawesome.__file__).parent / "fonts").glob("phosphor-charmap*.json")
    assert name in json.loads(charmap.read_text(encoding="utf-8"))
