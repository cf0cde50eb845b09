"""Waves at an angle on gratings and borders between glued sides, against Fourier modes and Fresnel.

A sheet of current across a strip that is a whole number of its waves wide sends one plane wave;
Ez and Hx on a line across tell the orders that run up and down.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from wavelab.scene.model.measuring.findings import MonitorResult
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.verification.case import Where
from wavelab.simulation.verification.running import discretized, running

Complex = NDArray[np.complex128]

FREQUENCY = 3.0
K = 2 * np.pi * FREQUENCY


def strip(width: float, waves: int, regions: str, above: float, below: float, until: float) -> str:
    """A scene between periodic sides, open at y = -1.25 and 1.5, with a sheet at y = 0.8 that sends
    ``waves`` waves across the width, and receivers at y = ``above`` and ``below``."""
    receivers = "".join(
        f"""
[[monitors]]
name = "{place} {quantity}"
kind = "line"
vertices = [[0, {y}], [{width * 59 / 60}, {y}]]
count = 60
quantity = "{quantity}"
"""
        for place, y in (("above", above), ("below", below))
        for quantity in ("ez", "hx")
    )
    kx = 2 * np.pi * waves / width
    return f"""
title = "Strip"
[domain]
shape = "rectangle"
lower = [0, -1.25]
upper = [{width}, 1.5]
{regions}
[[walls]]
edges = ["domain.left", "domain.right"]
kind = "periodic"
[[walls]]
edges = ["domain.bottom", "domain.top"]
kind = "open"
thickness = 0.5
[[sources]]
kind = "current"
jz = "8*exp(-((y - 0.8)/0.05)^2/2)*sin({K!r}*t - {kx!r}*x)*(1 - cos(pi*min(t/3, 1)))/2"
{receivers}
[solver]
element_size = 0.12
until = {until}
"""


def ran(text: str) -> dict[str, MonitorResult]:
    problem = discretized(parse_scene(text), 4)
    with running(problem, Where()) as simulation:
        simulation.advance(problem.steps_to_end())
        return {result.name: result for result in simulation.measured()}


def orders(
    found: dict[str, MonitorResult], place: str, epsilon: float, n: NDArray[np.int64]
) -> tuple[Complex, Complex, Complex]:
    """Ez of what runs up and down, of the orders n, and their wave numbers upwards."""
    sums = []
    for quantity in ("ez", "hx"):
        line = found[f"{place} {quantity}"].arrays
        late = line["time"] > line["time"][-1] - 6 / FREQUENCY
        phase = K * line["time"][late]
        (c, s), *_ = np.linalg.lstsq(
            np.stack([np.cos(phase), np.sin(phase)], axis=1), line["values"][late], rcond=None
        )
        x = line["points"][:, 0]
        kx = 2 * np.pi * n / (x[-1] * 60 / 59)
        sums.append(np.exp(-1j * kx[:, None] * x) @ (c + 1j * s) / len(x))
    ky = np.emath.sqrt(epsilon * K**2 - kx**2 + 0j)
    return (sums[0] + K / ky * sums[1]) / 2, (sums[0] - K / ky * sums[1]) / 2, ky


def lamellar(
    period: float, sine: float, teeth: float, height: float, below: float, most: int = 40
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Efficiencies of the orders -most to most, thrown back and let through, of teeth that are half
    a period wide: Fourier modes in the teeth, for Ez along them (Knop, J. Opt. Soc. Am. 68 (1978)
    1206)."""
    n, q = np.arange(-most, most + 1), np.arange(-2 * most, 2 * most + 1)
    kx = K * sine + 2 * np.pi * n / period
    harmonics = (teeth - 1) / 2 * np.sinc(q / 2) * np.exp(-0.5j * np.pi * q) + (q == 0)
    inside = K**2 * harmonics[n[:, None] - n + 2 * most] - np.diag(kx**2)
    squares, modes = np.linalg.eig(inside)
    g = np.emath.sqrt(squares)
    g = np.where(g.imag < 0, -g, g)
    above, under = (np.emath.sqrt(epsilon * K**2 - kx**2 + 0j) for epsilon in (1.0, below))
    far = np.exp(1j * g * height)
    matrix = np.block(
        [
            [above[:, None] * modes + modes * g, (above[:, None] * modes - modes * g) * far],
            [(under[:, None] * modes - modes * g) * far, under[:, None] * modes + modes * g],
        ]
    )
    comes = (n == 0).astype(complex)
    down, up = np.split(np.linalg.solve(matrix, np.append(2 * above * comes, 0 * comes)), 2)
    back, through = modes @ (down + far * up) - comes, modes @ (far * down + up)
    power = above[most].real
    return np.abs(back) ** 2 * above.real / power, np.abs(through) ** 2 * under.real / power


def test_orders_of_a_grating_that_a_wave_meets_at_an_angle():
    """Glass teeth on glass, three periods in a strip two waves wide: 26 degrees."""
    teeth = [(i / 2, i / 2 + 0.25) for i in range(3)]
    regions = "".join(
        f"""
[[materials]]
epsilon = {epsilon}
shape = "rectangle"
lower = [{left}, {lower}]
upper = [{right}, {upper}]
"""
        for epsilon, left, right, lower, upper in (
            (2.25, 0, 1.5, -1.25, -0.25),
            *((4, left, right, -0.25, 0) for left, right in teeth),
        )
    )
    found = ran(strip(1.5, 2, regions, 0.4, -0.5, 14))
    n = np.arange(-7, 6)
    up, down, ky = orders(found, "above", 1.0, n)
    came = ky.real[n == 2] * np.abs(down[n == 2]) ** 2
    back = ky.real * np.abs(up) ** 2 / came
    _, down, ky = orders(found, "below", 2.25, n)
    through = ky.real * np.abs(down) ** 2 / came
    exact = lamellar(0.5, 4 / 9, 4.0, 0.25, 2.25)
    own = (n - 2) % 3 == 0
    for measured, theory in zip((back, through), exact, strict=True):
        assert measured[own] == pytest.approx(theory[[37, 38, 39, 40, 41]], abs=3e-3)
        assert measured[~own].max() < 1e-6
    assert back.sum() + through.sum() == pytest.approx(1.0, abs=6e-3)


@pytest.mark.parametrize("waves", [1, 2])
def test_a_wave_in_glass_at_its_border(waves):
    """At 22 degrees a part comes back, at 48 all of it, with the phase that shifts a beam along."""
    regions = """
[[materials]]
epsilon = 2.25
shape = "rectangle"
lower = [0, 0]
upper = [0.6, 1.5]
"""
    found = ran(strip(0.6, waves, regions, 0.4, -0.3, 14))
    up, down, inside = orders(found, "above", 2.25, np.array([waves]))
    outside = np.emath.sqrt(K**2 - (2 * np.pi * waves / 0.6) ** 2 + 0j)
    exact = (inside - outside) / (inside + outside)
    assert up / down * np.exp(-2j * inside * 0.4) == pytest.approx(exact, abs=5e-3)
