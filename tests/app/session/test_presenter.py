"""What reaches the canvas, and what does not; the colour range."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavelab.app.session.automatic_range import CLIPPING, FLOOR, AutomaticRange
from wavelab.app.session.presenter import Presenter
from wavelab.app.session.view_state import ViewState
from wavelab.scene.model.scene import Scene, Solver
from wavelab.scene.model.view import View
from wavelab.simulation.messages.frames import Frame, ProbeSamples

SCENE = Scene(title="s", solver=Solver(element_size=0.1))


class Recorder:
    """A canvas that only remembers its calls."""

    def __init__(self):
        self.calls = []

    def __getattr__(self, name):
        return lambda *arguments: self.calls.append((name, *arguments))

    def names(self):
        names, self.calls = [call[0] for call in self.calls], []
        return names


def frame(generation=1, quantity="ez", values=((1.0, -2.0, 0.5),)):
    return Frame(
        generation,
        quantity,
        np.array(values, np.float32),
        0.0,
        0,
        0.1,
        0.0,
        0.0,
        True,
        ProbeSamples(0, (), np.zeros(0), np.zeros((0, 0))),
    )


def prepared(generation=1):
    problem = SimpleNamespace(discretization=SimpleNamespace(seen=f"mesh {generation}"))
    return SimpleNamespace(generation=generation, scene=SCENE, problem=problem)


@pytest.fixture
def shown():
    canvas = Recorder()
    presenter = Presenter(canvas)
    presenter.show_view(ViewState())
    presenter.show_problem(prepared(), first=True)
    canvas.names()
    return presenter, canvas


def test_a_first_problem_is_fitted_and_an_edited_one_is_not(shown):
    presenter, canvas = shown
    presenter.show_problem(prepared(2), first=False)
    assert canvas.names() == ["set_discretization"]
    presenter.show_problem(prepared(3), first=True)
    assert canvas.names() == ["set_discretization", "set_reading", "fit"]


def test_frames_of_another_generation_or_quantity_are_dropped(shown):
    presenter, canvas = shown
    assert not presenter.show_frame(frame(generation=2), 0.0)
    assert not presenter.show_frame(frame(quantity="hx"), 0.0)
    assert canvas.names() == []
    assert presenter.show_frame(frame(), 0.0)
    assert canvas.names() == ["set_limit", "set_values"]


def test_only_what_changed_reaches_the_canvas(shown):
    presenter, canvas = shown
    presenter.show_view(ViewState())
    assert canvas.names() == []
    presenter.show_view(ViewState().with_palette("vik"))
    assert canvas.names() == ["set_palette"]
    presenter.show_scene(SCENE)
    assert canvas.names() == []


def test_a_fixed_limit_holds_whatever_the_field_does(shown):
    presenter, canvas = shown
    presenter.show_view(ViewState(limit=3.0))
    assert canvas.names() == ["set_limit"]
    presenter.show_frame(frame(values=((100.0, 1.0, 1.0),)), 0.0)
    assert canvas.names() == ["set_values"]
    assert presenter.limit == 3.0


def test_a_palette_stays_with_its_kind_of_quantity():
    state = ViewState.of_scene(View(quantity="ez", palette="vik"))
    assert state.palette == "vik"
    energy = state.with_palette("cividis").with_quantity("energy")
    assert energy.palette == "cividis"
    assert energy.with_quantity("hx").palette == "vik"


def test_a_fixed_limit_comes_back_with_its_quantity():
    state = ViewState(limit=2.0)
    assert state.with_quantity("hy").limit is None
    assert state.with_quantity("ez").limit == 2.0
    state = state.with_quantity("hy").with_limit(5.0).with_quantity("energy").with_quantity("ez")
    assert state.limit == 2.0
    assert state.with_quantity("hy").limit == 5.0
    # Let go, it stays so; and that of a quantity that is not on show can be put back.
    assert state.with_limit(None).with_quantity("hy").with_quantity("ez").limit is None
    assert replace(state, limit=None, others={}).with_quantity("hy").limit is None
    assert state.with_limit_of("hy", 7.0).with_quantity("hy").limit == 7.0
    assert state.with_limit_of("hy", None).with_quantity("hy").limit is None
    assert state.with_limit_of("ez", 7.0).limit == 7.0


def test_the_range_grows_at_once_and_shrinks_slowly():
    automatic = AutomaticRange()
    assert automatic.update(np.full(10, 1.0), 0.0) == 1.0
    assert automatic.update(np.full(10, -5.0), 0.01) == 5.0
    little_later = automatic.update(np.full(10, 1.0), 0.1)
    assert 4.5 < little_later < 5.0
    assert automatic.update(np.full(10, 1.0), 60.0) == 1.0


def test_a_dead_field_is_not_magnified_into_noise():
    automatic = AutomaticRange()
    automatic.update(np.full(10, 1.0), 0.0)
    for _ in range(100):
        limit = automatic.update(np.full(10, 1e-9), 10.0)
    assert limit == FLOOR


def test_a_bright_spot_does_not_darken_the_rest():
    values = np.full(10_000, 1.0)
    values[17] = 100.0
    assert AutomaticRange().update(values, 0.0) == pytest.approx(1.0)
    brightest = AutomaticRange(robust=False)
    assert brightest.update(values, 0.0) == pytest.approx(100.0 / CLIPPING)
    values[17] = 2.0
    assert AutomaticRange(robust=False).update(values, 0.0) == pytest.approx(1.0)


@pytest.mark.parametrize("width", [0.003, 0.02, 0.2])
def test_a_wave_that_has_just_begun_is_no_flat_patch(width):
    """Of a Gaussian, and of the circular wave around a point, however few places it has reached."""
    x = (np.arange(400) + 0.5) / 400 - 0.5
    away = np.hypot(*np.meshgrid(x, x)) / width
    pulse = np.exp(-(away**2) / 2)
    assert 0.6 < AutomaticRange().update(pulse, 0.0) / pulse.max() <= 1
    # A current in a point makes a field without bound there; most of the wave has full colour.
    spot = np.where(away < 5, 1 / np.sqrt(np.maximum(away, 1e-3)), 0.0)
    limit = AutomaticRange().update(spot, 0.0)
    assert np.mean(spot[spot > 0] > limit) < 0.03


@given(st.lists(st.floats(allow_nan=True, allow_infinity=True, width=32), max_size=30))
def test_every_field_has_a_range(values):
    limit = AutomaticRange().update(np.array(values, np.float32), 0.0)
    finite = [abs(v) for v in values if np.isfinite(v)]
    assert np.isfinite(limit)
    assert limit > 0
    if any(finite):
        assert 0 < limit <= max(finite)
        spot = AutomaticRange(robust=False).update(np.array(values, np.float32), 0.0)
        assert max(finite) / CLIPPING * 0.999 <= spot <= max(finite)
