"""Formulas of time are taken apart where they take another branch."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavelab.scene.formulas.formula import Formula
from wavelab.scene.formulas.formula_jumps import switches_of
from wavelab.scene.waveforms.chirp import Chirp
from wavelab.scene.waveforms.gaussian_pulse import GaussianPulse
from wavelab.scene.waveforms.ricker import Ricker
from wavelab.scene.waveforms.sine import Sine

VARIABLES = ("x", "y", "t")


def moments(text: str, end: float = 3.0, spacing: float = 0.01, origin: float = 0.0) -> list[float]:
    switches = switches_of(Formula.parse(text, VARIABLES))
    return [found.after for found in switches.breaks(0.0, end, spacing, origin)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 if t < 0.7 else 4", [0.7]),
        ("1 if 2*t - 1 >= 3 - t or t/4 > 0.7 else 4", [4 / 3]),
        ("1 if t > 1 and t < 1.000001 else 4", [1, 1.000001]),
        ("heaviside(t - 0.5) + sign(2 - t)", [0.5, 2]),
        ("floor(2*t)", [0.5, 1, 1.5, 2, 2.5, 3]),
        ("1 if t - floor(t) < 0.3 else 2", [0.3, 1, 1.3, 2, 2.3, 3]),
        ("sign(cos(pi*t))", [0.5, 1.5, 2.5]),
        ("1 if t^2 < 2 else 4", [2**0.5]),
        ("1 if sin(2*pi*100.001*t) < 0 else 4", [k / 200.002 for k in range(1, 601)]),
        ("atan2(1 - t, -1)", [1]),
        ("min(t, 1)*abs(t - 2)", [1, 2]),
        ("(1 if t < 0.5 else 2) if x < 0 else floor(t)", [0.5, 1, 2, 3]),
        # Kinks, and what comes back from the other side of infinity.
        ("abs(sin(pi*t)) + max(0, cos(pi*t))", [0.5, 1, 1.5, 2, 2.5]),
        ("acos(cos(pi*t)) + asin(sin(pi*t))", [0.5, 1, 1.5, 2, 2.5, 3]),
        ("atan(1/(t - 0.7)) + atan((t - 1.3)^-1)", [0.7, 1.3]),
        ("atan(tan(pi*t/4))", [2]),
        # What holds for far less than the time between two looks.
        ("1 if abs(t - 1) < 1e-7 else 4", [1 - 1e-7, 1 + 1e-7]),
        ("1 if (t - 0.7)^2 < 1e-14 else 4", [0.7 - 1e-7, 0.7 + 1e-7]),
        ("2 if t - floor(t) < 1e-6 else 0", [1e-6, 1, 1 + 1e-6, 2, 2 + 1e-6, 3]),
        # What does not depend on t alone, or has no branches, is as smooth as it can be.
        ("1 if x < t else 4", []),
        ("(1 if x < y else 4)*sin(t) + abs(x)", []),
        ("exp(-t^2) + sqrt(t + 1)", []),
    ],
)
def test_where_they_are(text, expected):
    assert moments(text) == pytest.approx(expected, abs=1e-13)


@given(st.floats(0.01, 2.99), st.sampled_from(["<", "<=", ">", ">="]), st.floats(-5, 5))
def test_both_sides_are_on_their_side(moment, sign, origin):
    text = f"1 if t {sign} {moment} else 4"
    formula = Formula.parse(text, ("t",))
    (found,) = switches_of(formula).breaks(origin, origin + 3.0, 0.01, origin)
    assert 0 < found.after - found.before < 1e-13
    sides = formula.evaluate(t=np.array([found.before, found.after]) - origin)
    first, last = formula.evaluate(t=np.array([0.0, 3.0]))
    np.testing.assert_array_equal(sides, [first, last])


@given(st.lists(st.integers(1, 290), min_size=1, max_size=8, unique=True))
def test_none_is_missed_and_each_is_found_once(hundredths):
    times = sorted(number / 97 for number in hundredths)
    text = " + ".join(f"heaviside(t - {time!r})" for time in times)
    assert moments(text, spacing=0.5) == pytest.approx(times, abs=1e-13)


@pytest.mark.parametrize(
    ("wave", "expected"),
    [
        (Sine(2.0, delay=0.25), [0.25, 1.25]),
        (Chirp(1.0, 2.0, 0.8, delay=0.5, taper=0.0), [0.5, 1.3]),
        (Ricker(2.0, 1.0), []),
        (GaussianPulse(0.1, 1.0), []),
    ],
)
def test_of_waveforms(wave, expected):
    f = wave.function()
    found = [b.after for b in switches_of(f.formula).breaks(0.0, 3.0, 0.01, f.origin)]
    assert found == pytest.approx(expected, abs=1e-13)
