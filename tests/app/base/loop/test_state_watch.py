"""A state is compared, and only what is another is shown."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from wavelab.app.base.loop.state_watch import StateWatch


@dataclass(frozen=True)
class State:
    title: str = "a"
    count: int = 0
    busy: bool = False


class Shop:
    def __init__(self):
        self.state, self.calls = State(), []
        self.watch = StateWatch(
            lambda: self.state,
            (
                ("title", lambda s: self.calls.append(("title", s.title))),
                ("count busy", lambda s: self.calls.append(("count", s.count))),
            ),
        )

    def shown(self, **parts):
        self.state = replace(self.state, **parts)
        self.watch.compare()
        calls, self.calls = self.calls, []
        return calls


def test_all_is_shown_first_and_then_only_what_is_another():
    shop = Shop()
    assert shop.shown() == [("title", "a"), ("count", 0)]
    assert shop.shown() == []
    assert shop.shown(title="b") == [("title", "b")]
    assert shop.shown(busy=True, count=2) == [("count", 2)]


def test_a_setter_that_fails_is_not_called_for_ever():
    shop = Shop()
    shop.shown()

    def fails(state):
        raise ZeroDivisionError

    watch = StateWatch(lambda: shop.state, (("title", fails),))
    with pytest.raises(ZeroDivisionError):
        watch.compare()
    watch.compare()


def test_a_part_that_there_is_not_is_a_mistake():
    with pytest.raises(ValueError, match="colour"):
        StateWatch(State, (("title colour", print),))
