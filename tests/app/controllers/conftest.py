"""A window with a scene that has sliders."""

from __future__ import annotations

import pytest

from tests.app.slider_bench import SCENE


@pytest.fixture
def turned(start, tmp_path):
    """A window with a scene that has parameters, which runs."""
    path = tmp_path / "turned.toml"
    path.write_text(SCENE)
    driver = start(path)
    driver.settled()
    return driver
