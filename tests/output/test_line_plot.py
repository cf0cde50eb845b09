"""Plots without Qt: curves and dots where they belong, round numbers at the axes, all letters."""

from __future__ import annotations

import string
from pathlib import Path

import av
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavelab.output.line_plot import Curve, line_plot, ticks, write_line_plot
from wavelab.output.stroke_font import ADVANCE, strokes, width

LEFT, RIGHT, TOP, BOTTOM = 110, 930, 46, 524
BLUE = (0, 114, 178)


def is_blue(picture: np.ndarray, x: float, y: float) -> bool:
    return bool(np.abs(picture[round(y), round(x)].astype(int) - BLUE).max() < 40)


def test_a_curve_goes_where_its_numbers_are() -> None:
    x = np.array([1.0, 2.0, 4.0, 5.0])
    values = np.array([0.0, 10.0, np.nan, 10.0])
    picture = line_plot(x, [Curve("a", values)], "d", "power")
    assert picture.shape == (600, 960, 3)
    margin = 0.06 / 1.12 * (BOTTOM - TOP)
    low, high = BOTTOM - margin, TOP + margin
    across = LEFT + (x - 1) / 4 * (RIGHT - LEFT)
    for place, height in ((across[0], low), (across[1], high), (across[3], high)):
        assert is_blue(picture, place, height)
    assert is_blue(picture, (across[0] + across[1]) / 2, (low + high) / 2)
    blue = (np.abs(picture.astype(int) - BLUE).max(axis=2) < 40).any(axis=0)
    # Where there is no number there is a gap.
    assert not blue[round(across[1]) + 6 : round(across[3]) - 6].any()


def test_several_curves_are_named_above(tmp_path: Path) -> None:
    x = np.linspace(0, 1, 5)
    curves = [Curve("one", x), Curve("two", x**2)]
    write_line_plot(tmp_path / "p.png", x, curves, "x", "")
    with av.open(str(tmp_path / "p.png")) as file:
        (frame,) = file.decode(video=0)
    read = frame.to_ndarray(format="rgb24")
    assert (read == line_plot(x, curves, "x", "")).all()
    assert (read[: TOP - 4] < 128).any()
    assert not (line_plot(x, curves[:1], "x", "")[: TOP - 4] < 128).any()


@pytest.mark.parametrize("values", [[3.0], [2.0, 2.0], [], [np.nan, np.nan], [1e-300, 2e-300]])
def test_whatever_there_is_can_be_drawn(values: list[float]) -> None:
    picture = line_plot(np.arange(len(values)), [Curve("a", np.array(values))], "x", "y")
    assert (picture < 100).any()


@given(st.floats(-1e9, 1e9), st.floats(1e-6, 1e9))
def test_ticks_are_few_and_round(low: float, span: float) -> None:
    high = low + span
    if high - low < 1e-9 * abs(low):
        return
    found = ticks(low, high)
    step = (high - low) / 6
    assert 2 <= len(found) <= 13
    assert low - 1e-6 * step <= found[0]
    assert found[-1] <= high + 1e-6 * step


def test_every_letter_is_its_own() -> None:
    letters = string.ascii_letters + string.digits + "-+.,:;=/\\*()[]{}<>^_%'\"#!?|&@$~`"
    known = {}
    for letter in letters:
        shape = tuple(tuple(map(tuple, s.tolist())) for s in strokes(letter, 6.0))
        assert shape
        assert len({letter, known.get(shape, letter)} - set("O0")) <= 1, (letter, known.get(shape))
        known[shape] = letter
    (box,) = strokes("\u6771", 6.0)
    assert len(box) == 5
    assert strokes("  ", 6.0) == []
    assert width("abc", 6.0) == 2 * ADVANCE + 4
    later = strokes(" b", 6.0)[0] - strokes("b", 6.0)[0]
    assert (later == (ADVANCE, 0)).all()
