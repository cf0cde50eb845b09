"""Views of numbers that belong to places: each colour is that of its number."""

from __future__ import annotations

import numpy as np
import pytest

from tests.sample_scenes import boxed
from wavelab.output.palette import colorize

GLASS = boxed(
    "Glass",
    """\
[solver]
element_size = 0.2
order = 2
[[walls]]
edges = ["domain.left"]
kind = "absorbing"
[[walls]]
edges = ["domain.top"]
kind = "open"
thickness = 0.31
[[materials]]
name = "glass"
epsilon = 2.25
shape = "rectangle"
lower = [0.5, 0]
upper = [1, 1]
[initial]
ez = "1"
[view]
limit = 1.0
decades = 3
""",
)
WALL, LAYER, AIR, INSIDE = (0.01, 0.4), (0.3, 0.99), (0.3, 0.4), (0.75, 0.4)


@pytest.fixture
def glass(start, tmp_path):
    path = tmp_path / "glass.toml"
    path.write_text(GLASS)
    driver = start(path)
    driver.press("Space")
    driver.press("Ctrl+R")
    return driver


def colours(driver) -> dict[tuple[float, float], np.ndarray]:
    driver.application.processEvents()
    picture = driver.canvas.grab_rgb().astype(int)
    found = {}
    for place in (WALL, LAYER, AIR, INSIDE):
        column, row = driver.canvas.devicePixelRatioF() * driver.canvas.view.to_pixels(place)
        found[place] = picture[int(row), int(column)]
    return found


def test_walls_and_materials_leave_the_colours_of_numbers_alone(glass):
    driver, panel = glass, glass.window.field_panel
    driver.until(lambda: driver.bench.presenter.frame.values.min() > 0.9)
    wave = colours(driver)
    assert wave[AIR].sum() > wave[WALL].sum() + 30
    assert wave[AIR].sum() > wave[LAYER].sum() + 30
    assert abs(wave[AIR] - wave[INSIDE]).max() > 5

    driver.press("7")
    driver.until(lambda: driver.bench.presenter.frame.quantity == "index")
    driver.until(lambda: panel.bar.labels() == ("0", "", "1.50"))
    for place, colour in colours(driver).items():
        number = np.array([1.5 if place == INSIDE else 1.0])
        expected = colorize(number, driver.bench.views.state.palette, 1.5, (0, 0, 0))[0]
        assert abs(colour - expected).max() < 12, place

    # In powers of ten one could not tell them apart.
    action = driver.window.actions_by_id["logarithmic"]
    assert not panel.scale.isEnabled()
    assert panel.scale.currentText() == "Linear"
    assert not action.isEnabled()
    assert not action.isChecked()
    assert "too little" in panel.scale.toolTip()
    assert "too little" in action.toolTip()

    driver.press("1")
    driver.until(lambda: driver.bench.presenter.frame.quantity == "ez")
    assert panel.scale.currentText() == "Logarithmic, 3 decades"
    assert action.isEnabled()
    assert "too little" not in action.toolTip()
    back = colours(driver)
    assert back[AIR].sum() > back[WALL].sum() + 30
