"""Notes of a scene come back as they were, in a file that is pleasant to read."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sample_scenes import boxed
from wavelab.errors import SceneError
from wavelab.scene.model.scene import Scene, Solver
from wavelab.scene.rules.validate import MOST_BARS, MOST_LINES, MOST_NOTES, check_scene
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.scene.toml.toml_writer import scene_text

SCENE = Scene("Lesson", Solver(element_size=0.2))
#: What is special in TOML, and the rest.
LETTERS = st.one_of(st.sampled_from('"\\\n\r\t# \x00é√'), st.characters(exclude_categories=("Cs",)))


def again(notes: str) -> str:
    return parse_scene(scene_text(replace(SCENE, notes=notes), None)).notes


@given(st.text(LETTERS, max_size=60))
def test_any_text_comes_back(notes):
    assert again(notes) == notes


@pytest.mark.parametrize(
    "notes",
    [
        'He said "stop".\nThen "go"',
        'a\n""" b',
        "\n\nlate",
        'C:\\new\n\\"',
        "one line",
        'two\n"',
        "",
    ],
)
def test_what_is_special_in_the_file_comes_back(notes):
    assert again(notes) == notes


def test_lines_are_lines_of_the_file():
    text = scene_text(replace(SCENE, notes='# Slits\n\n1. Say "fringe".\n'), None)
    assert 'notes = """\n# Slits\n\n1. Say "fringe".\n"""\n' in text


def test_without_notes_there_is_no_word_of_them():
    assert "notes" not in scene_text(SCENE, None)


def test_too_long_notes_are_refused():
    check_scene(replace(SCENE, notes=MOST_NOTES * "a"))
    with pytest.raises(SceneError, match=f"{MOST_NOTES + 1} characters.*") as refused:
        check_scene(replace(SCENE, notes=(MOST_NOTES + 1) * "a"))
    assert str(MOST_NOTES) in refused.value.remedy
    check_scene(replace(SCENE, notes=MOST_LINES * "a\n"))
    with pytest.raises(SceneError, match=f"{MOST_LINES + 1} lines") as refused:
        check_scene(replace(SCENE, notes=(MOST_LINES + 1) * "a\n"))
    assert str(MOST_LINES) in refused.value.remedy
    row = 49 * "|" + "\n"
    check_scene(replace(SCENE, notes=(MOST_BARS // 49) * row))
    with pytest.raises(SceneError, match="bars of tables") as refused:
        check_scene(replace(SCENE, notes=(MOST_BARS // 49 + 1) * row))
    assert str(MOST_BARS) in refused.value.remedy
    with pytest.raises(SceneError, match="notes"):
        parse_scene("notes = 3\n" + boxed("x", "[solver]\nelement_size = 1"))
