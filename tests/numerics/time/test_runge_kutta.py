"""The schemes have the order that they say, by every rooted tree and by measurement."""

import math
from itertools import combinations_with_replacement

import numpy as np
import pytest

from wavelab.numerics.time.runge_kutta import SCHEMES, scheme_for
from wavelab.numerics.time.stability import largest_stable_step
from wavelab.scene.model.scene import LOCAL_STEPPING, STEPPERS
from wavelab.simulation.core.nan_guard import OVERSHOOT

ALL = pytest.mark.parametrize("scheme", SCHEMES.values(), ids=SCHEMES)
_KINDS = {linear: {n: s for n, s in SCHEMES.items() if s.linear == linear} for linear in (0, 1)}
ANY_EQUATIONS, LINEAR = (
    pytest.mark.parametrize("scheme", kind.values(), ids=kind) for kind in _KINDS.values()
)


def rooted_trees(order):
    """All rooted trees of that many vertices, each a sorted tuple of the trees on its root."""

    def forests(size, largest):
        if size == 0:
            return [()]
        found = []
        for first in range(min(size, largest), 0, -1):
            for count in range(1, size // first + 1):
                for trees in combinations_with_replacement(rooted_trees(first), count):
                    found += [(*trees, *rest) for rest in forests(size - first * count, first - 1)]
        return found

    return forests(order - 1, order - 1)


def size(tree):
    return 1 + sum(size(child) for child in tree)


def density(tree):
    """gamma in the books of Butcher and Hairer."""
    return size(tree) * math.prod(density(child) for child in tree)


def derivative_weights(tree, matrix):
    weights = np.ones(len(matrix))
    for child in tree:
        weights = weights * (matrix @ derivative_weights(child, matrix))
    return weights


def residuals(scheme, order):
    """How far each order condition is from being kept."""
    matrix, weights = scheme.tableau
    return [
        weights @ derivative_weights(tree, matrix) - 1 / density(tree)
        for tree in rooted_trees(order)
    ]


def test_there_are_as_many_trees_as_known():
    assert [len(rooted_trees(n)) for n in range(1, 8)] == [1, 1, 2, 4, 9, 20, 48]


@ANY_EQUATIONS
def test_every_order_condition_is_kept_and_none_beyond(scheme):
    for order in range(1, scheme.order + 1):
        # Coefficients of up to 7 were published with 16 digits after the point.
        np.testing.assert_allclose(residuals(scheme, order), 0, atol=1e-13)
    assert np.abs(residuals(scheme, scheme.order + 1)).max() > 1e-5


def driven(scheme, rate, frequency, n_steps):
    """Error at t = 2 of q' = rate q + exp(i frequency t), q(0) = 1."""
    q, dt = 1 + 0j, 2 / n_steps
    for step in range(n_steps):
        residual = 0j
        seen = scheme.shares @ np.exp(1j * frequency * (step + scheme.moments) * dt)
        for a, b, source in zip(scheme.a, scheme.b, seen, strict=True):
            residual = a * residual + dt * (rate * q + source)
            q += b * residual
    grown, swung = np.exp(2 * rate), np.exp(2j * frequency)
    return abs(q - grown - (swung - grown) / (1j * frequency - rate))


@ALL
@pytest.mark.parametrize(("rate", "frequency"), [(3j, 5), (-2 + 1j, -4), (0, 7)])
def test_the_measured_order_on_a_linear_equation_with_a_source(scheme, rate, frequency):
    few = 2 if scheme.order == 12 else 4 if scheme.order == 8 else 16
    errors = [driven(scheme, rate, frequency, n) for n in (few, 2 * few)]
    assert math.log2(errors[0] / errors[1]) > scheme.order - 0.5 or errors[1] < 1e-13


@LINEAR
def test_conditions_of_linear_equations_with_sources_are_kept_and_none_beyond(scheme):
    """Powers of the matrix, and after any of them powers of time as the stages see them."""
    matrix, weights = scheme.tableau
    after = weights
    for done in range(scheme.order):
        for power in range(scheme.order - done):
            found = after @ scheme.shares @ scheme.moments**power
            wanted = math.factorial(power) / math.factorial(done + power + 1)
            assert found == pytest.approx(wanted, abs=1e-13)
        after = after @ matrix
    beyond = math.factorial(scheme.order + 1) * after.sum() - 1
    assert 1e-3 < abs(beyond) < 0.03


@LINEAR
def test_a_steady_source_reaches_the_stages_as_it_is(scheme):
    np.testing.assert_allclose(scheme.shares.sum(axis=1), 1, rtol=0, atol=1e-12)
    assert np.abs(scheme.shares).max() < 60
    assert ((scheme.moments > 0) & (scheme.moments < 1)).all()


@ANY_EQUATIONS
def test_the_measured_order_on_a_nonlinear_equation_that_depends_on_time(scheme):
    """q' = q^2 cos t, q(0) = 1/2: q = 1 / (2 - sin t)."""

    def error(n_steps):
        q, residual, dt = 0.5, 0.0, 2 / n_steps
        for step in range(n_steps):
            for a, b, c in zip(scheme.a, scheme.b, scheme.c, strict=True):
                residual = a * residual + dt * q**2 * math.cos((step + c) * dt)
                q += b * residual
        return abs(q - 1 / (2 - math.sin(2)))

    assert math.log2(error(16) / error(32)) > scheme.order - 0.25


@ALL
def test_form(scheme):
    assert scheme.a[0] == 0
    assert scheme.c[0] == 0
    assert len(scheme.a) == len(scheme.b) == len(scheme.c) == scheme.n_stages
    assert scheme.linear or all(0 <= c < 1 for c in scheme.c)
    z = np.array([0.1 - 0.2j])
    powers = sum(z**n / math.factorial(n) for n in range(scheme.order + 1))
    assert abs(scheme.amplification(z) - powers) < 0.3 ** (scheme.order + 1) / 10


def test_carpenter_and_kennedys_stages_take_place_when_they_say():
    published = (
        0,
        1432997174477 / 9575080441755,
        2526269341429 / 6820363962896,
        2006345519317 / 3224310063776,
        2802321613138 / 2924317926251,
    )
    np.testing.assert_allclose(SCHEMES["ck54"].c, published, rtol=0, atol=1e-15)


@pytest.mark.parametrize(
    ("name", "along_imaginary", "along_real"),
    [
        ("ck54", 3.34, 4.66),
        ("rkc73", 3.31, 8.39),
        ("rkc84", 4.57, 8.36),
        ("rkf84", 4.58, 7.89),
        ("ndb124", 10.95, 4.05),
        ("ndb134", 6.55, 10.93),
        ("ndb144", 6.08, 18.52),
        ("upw148", 5.99, 14.00),
        ("upw2012", 6.55, 18.33),
        ("lin168", 9.76, 9.58),
        ("lin2012", 9.90, 9.74),
    ],
)
def test_how_far_the_stability_regions_reach(name, along_imaginary, along_real):
    scheme = SCHEMES[name]
    assert largest_stable_step(np.array([1j]), scheme) == pytest.approx(along_imaginary, abs=0.01)
    assert largest_stable_step(np.array([-1 + 0j]), scheme) == pytest.approx(along_real, abs=0.01)


@ALL
def test_what_does_not_decay_never_grows(scheme):
    """Not even within the tolerance of the search: a million steps must stay bounded."""
    reach = largest_stable_step(np.array([1j]), scheme)
    z = 1j * np.linspace(0, 0.99 * reach, 2000)
    assert np.abs(scheme.amplification(z)).max() <= 1 + 1e-14


@pytest.mark.parametrize("scheme", SCHEMES.values(), ids=SCHEMES)
def test_what_the_stages_meet_counts_so_many_times_at_most(scheme):
    """Of q' = lambda q + f with any f at the moments, for all lambda that are stable."""
    matrix, weights = scheme.tableau
    radius, angle = np.meshgrid(np.linspace(0, 20, 201), np.linspace(0, math.pi / 2, 61))
    z = (-radius * np.exp(1j * angle)).ravel()
    z = z[np.abs(scheme.amplification(z)) <= 1]
    factors = np.linalg.inv(np.eye(scheme.n_stages) - z[:, None, None] * matrix)
    assert np.abs(weights @ factors @ scheme.shares).sum(axis=1).max() < OVERSHOOT


@pytest.mark.parametrize("upwinding", [0.0, 0.5, 1.0])
def test_what_suits_has_the_order_of_the_elements(upwinding):
    for order in range(1, 11):
        assert scheme_for(order, upwinding).order >= order + 1
        assert not scheme_for(order, upwinding, changing=True).linear


def test_scenes_know_every_scheme():
    assert set(STEPPERS) == {"auto", *SCHEMES, LOCAL_STEPPING}


def test_a_name_beats_what_suits():
    assert scheme_for(5, 1.0, "ndb134").name == "ndb134"
    assert scheme_for(1, 1.0).name == "ndb144"
    assert {scheme_for(order, upwinding).name for order in (2, 4) for upwinding in (0, 1)} == {
        "ck54",
        "rkc84",
        "lin168",
        "upw148",
    }
    with pytest.raises(KeyError):
        scheme_for(3, 1.0, "rk4")
