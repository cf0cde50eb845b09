"""Undo and redo."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wavelab.app.edits.history import LIMIT, PAUSE, History
from wavelab.scene.model.scene import Scene, Solver


def scene(title: str) -> Scene:
    return Scene(title=title, solver=Solver(element_size=0.1))


def test_undo_and_redo_walk_the_same_path():
    history = History().recorded("one", scene("a")).recorded("two", scene("b"))
    history, step = history.undone(scene("c"))
    now = step.scene
    assert (now.title, history.undo_label, history.redo_label) == ("b", "one", "two")
    history, step = history.undone(now)
    now = step.scene
    assert (now.title, history.undo_label, history.redo_label) == ("a", "", "one")
    assert history.undone(now) is None
    history, step = history.redone(now)
    history, step = history.redone(step.scene)
    assert step.scene.title == "c"
    assert history.redone(step.scene) is None


def test_an_edit_forgets_what_could_be_redone():
    history, step = History().recorded("one", scene("a")).undone(scene("b"))
    assert history.recorded("other", step.scene).redone(scene("x")) is None


def labels(edits) -> list[tuple[str, str]]:
    """What can be undone after edits of (name, time of a run)."""
    history = History()
    for i, (label, run_at) in enumerate(edits):
        history = history.recorded(label, scene(str(i)), run_at=run_at)
    return [(step.label, step.scene.title) for step in history.past]


def test_a_run_of_the_same_edit_is_one_step():
    assert labels([("size", t * 0.9 * PAUSE) for t in range(5)]) == [("size", "0")]


def test_a_run_ends_with_a_pause_another_edit_and_one_that_stands_for_itself():
    assert labels([("size", 0.0), ("size", 1.0), ("size", 2.0 + PAUSE)]) == [
        ("size", "0"),
        ("size", "2"),
    ]
    assert len(labels([("size", 0.0), ("order", 1.0), ("size", 2.0)])) == 3
    assert len(labels([("move", None), ("move", 1.0), ("move", 2.0), ("move", None)])) == 3


def test_a_run_ends_with_undo():
    history = History().recorded("size", scene("a"), run_at=0.0)
    history = history.recorded("size", scene("b"), run_at=0.1)
    history, step = history.undone(scene("c"))
    history = history.recorded("size", step.scene, run_at=0.2)
    assert history.undone(scene("d"))[1].scene.title == "a"


def test_a_step_back_and_forth_leads_to_the_field_that_it_left():
    history = History().recorded("open", scene("a"), keeps_field=False).recorded("e", scene("b"))
    history, step = history.undone(scene("c"))
    assert step.keeps_field
    history, step = history.undone(step.scene)
    assert not step.keeps_field
    history, step = history.redone(step.scene)
    assert not step.keeps_field


def test_the_past_is_bounded():
    history = History()
    for i in range(LIMIT + 5):
        history = history.recorded(f"{i}", scene(f"{i}"))
    assert len(history.past) == LIMIT
    assert history.past[0].label == "5"


@given(st.lists(st.sampled_from(["edit", "undo", "redo"]), max_size=40))
def test_like_a_list_with_a_cursor(moves):
    states, cursor = [scene("0")], 0
    history, now = History(), states[0]
    for i, move in enumerate(moves, start=1):
        if move == "edit":
            history = history.recorded("e", now)
            now = scene(str(i))
            states, cursor = [*states[: cursor + 1], now], cursor + 1
        elif move == "undo" and (step := history.undone(now)):
            history, now = step[0], step[1].scene
            cursor -= 1
        elif move == "redo" and (step := history.redone(now)):
            history, now = step[0], step[1].scene
            cursor += 1
        assert now == states[cursor]
        assert bool(history.past) == (cursor > 0)
        assert bool(history.future) == (cursor < len(states) - 1)
