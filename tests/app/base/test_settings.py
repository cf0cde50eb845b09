"""Launch options and preferences."""

from __future__ import annotations

import pytest

from wavelab.app.base.settings import (
    RECENT_LIMIT,
    LaunchOptions,
    Preferences,
    load_preferences,
    save_preferences,
)
from wavelab.scene.model.scene import Scene, Solver

SCENE = Scene(title="s", solver=Solver(element_size=0.1, order=4, precision="single"))


def test_options_replace_only_what_they_name():
    solver = LaunchOptions(order=7).applied(SCENE).solver
    assert (solver.order, solver.element_size, solver.precision) == (7, 0.1, "single")
    solver = LaunchOptions(element_size=0.2, precision="double").applied(SCENE).solver
    assert (solver.order, solver.element_size, solver.precision) == (4, 0.2, "double")
    assert LaunchOptions().applied(SCENE) is SCENE


def test_preferences_come_back(tmp_path):
    stored = Preferences("light", geometry="01ff").with_recent(tmp_path / "a b.toml")
    save_preferences(stored, tmp_path / "deep" / "preferences.toml")
    assert load_preferences(tmp_path / "deep" / "preferences.toml") == stored


def test_recent_files_are_few_and_different(tmp_path):
    preferences = Preferences()
    for i in [*range(20), 15]:
        preferences = preferences.with_recent(tmp_path / f"{i}.toml")
    assert len(preferences.recent) == RECENT_LIMIT
    assert preferences.recent[0].endswith("15.toml")
    assert len(set(preferences.recent)) == RECENT_LIMIT


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"theme = 3\nrecent = 'no list'",
        b"recent = [1, {a = 2}]\nunknown = 1",
        b"\xff\xfe\x00",
        b"= broken",
    ],
)
def test_damaged_preferences_fall_back(tmp_path, text):
    path = tmp_path / "preferences.toml"
    path.write_bytes(text)
    assert load_preferences(path) == Preferences()


def test_preferences_that_cannot_be_written_are_no_trouble(tmp_path):
    (tmp_path / "file").write_text("")
    save_preferences(Preferences(), tmp_path / "file" / "preferences.toml")
