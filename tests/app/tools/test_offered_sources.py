"""The source tool offers what the waves of the scene have, and all of that can be placed."""

from __future__ import annotations

import pytest

from tests.app.conftest import pick
from wavelab.scene.sources import PLACINGS, placings_for
from wavelab.scene.toml.toml_io import parse_scene

SQUARE = """
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 1]

[solver]
element_size = 0.25
order = 2
"""


def offered(driver) -> list[str]:
    box = driver.window.tool_panel.source.kind
    return [box.itemData(i) for i in range(box.count())]


@pytest.mark.parametrize("physics", ["elastic", "sound"])
def test_what_is_offered_is_what_the_waves_have(driver, physics, caplog):
    driver.press("S")
    assert offered(driver) == list(placings_for("maxwell"))
    pick(driver.window.tool_panel.source.kind, "array")
    scene = parse_scene(f'physics = "{physics}"\n{SQUARE}')
    driver.bench.editor.open(scene)
    driver.settled()
    assert offered(driver) == list(placings_for(scene_equations(physics)))
    driver.press("S")
    for kind in offered(driver):
        if PLACINGS[kind][0].gesture != "click":
            continue
        pick(driver.window.tool_panel.source.kind, kind)
        before = len(driver.session.scene.sources)
        driver.click(0.3 + 0.1 * before, 0.5)
        driver.settled()
        assert len(driver.session.scene.sources) == before + 1, kind
    assert not caplog.records


def scene_equations(physics: str) -> str:
    return "elastic" if physics == "elastic" else "maxwell"
