"""Undo and redo."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wavelab.app.history import LIMIT, History
from wavelab.scene.scene import Scene, Solver


def scene(title: str) -> Scene:
    return Scene(title=title, solver=Solver(element_size=0.1))


def test_undo_and_redo_walk_the_same_path():
    history = History().recorded("one", scene("a")).recorded("two", scene("b"))
    history, now = history.undone(scene("c"))
    assert (now.title, history.undo_label, history.redo_label) == ("b", "one", "two")
    history, now = history.undone(now)
    assert (now.title, history.undo_label, history.redo_label) == ("a", "", "one")
    assert history.undone(now) is None
    history, now = history.redone(now)
    history, now = history.redone(now)
    assert now.title == "c"
    assert history.redone(now) is None


def test_an_edit_forgets_what_could_be_redone():
    history, now = History().recorded("one", scene("a")).undone(scene("b"))
    assert history.recorded("other", now).redone(scene("x")) is None


def test_a_run_of_the_same_edit_is_one_step():
    history = History()
    for title in "abc":
        history = history.recorded("size", scene(title), merge=True)
    assert history.undone(scene("d"))[1].title == "a"


def test_a_run_ends_with_undo():
    history = History().recorded("size", scene("a"), merge=True)
    history = history.recorded("size", scene("b"), merge=True)
    history, now = history.undone(scene("c"))
    history = history.recorded("size", now, merge=True)
    assert history.undone(scene("d"))[1].title == "a"


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
            history, now = step
            cursor -= 1
        elif move == "redo" and (step := history.redone(now)):
            history, now = step
            cursor += 1
        assert now == states[cursor]
        assert bool(history.past) == (cursor > 0)
        assert bool(history.future) == (cursor < len(states) - 1)
