"""How much of each mode goes through a line across a guide, one way and the other.

A mode of the amplitude 1 carries the mean power 1, and has Ez = E and H = -/+ (beta / (w mu)) E to
the right of the line and to its left, H = nx Hy - ny Hx.  Modes are orthogonal with the weight
1 / mu, and so to what radiates, whatever else goes through the line (Snyder & Love, *Optical
Waveguide Theory*, 1983):

    a = 1/4 int (Ez (beta / (w mu)) E - H E) ds,      b = 1/4 int (Ez (beta / (w mu)) E + H E) ds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array, Complex
from wavelab.numerics.fields.line_quadrature import LineQuadrature
from wavelab.physics.materials.cross_sections import line_across, values_at_points
from wavelab.physics.materials.guide_modes import cut_off, modes_of
from wavelab.physics.monitors.monitor_rules import Setting
from wavelab.scene.model.measuring.requests import AcrossGuide


@dataclass(frozen=True, eq=False)
class ModesAcross:
    """The modes of a guide at the points of a line across it.

    Attributes
    ----------
    index : (n_frequencies, n_modes) effective index beta / w, 0 of a mode that is not there.
    e, h : (n_frequencies, n_modes, n_points) of Ez, and of -H of a wave that goes to the right.
    """

    index: Array
    e: Array
    h: Array

    def amplitudes(self, line: LineQuadrature, ez: Complex, h: Complex) -> tuple[Complex, Complex]:
        """(n_frequencies, n_modes) twice, to the right of the line and to its left.

        Parameters
        ----------
        ez, h : (n_frequencies, n_points).
        """
        of_ez = np.einsum("fmp,fp,p->fm", self.h, ez, line.weights)
        of_h = np.einsum("fmp,fp,p->fm", self.e, h, line.weights)
        return (of_ez - of_h) / 4, (of_ez + of_h) / 4


def modes_across(
    where: AcrossGuide, line: LineQuadrature, setting: Setting
) -> tuple[ModesAcross, list[str]]:
    """The modes at the frequencies of a monitor, and what is to be said of them.

    Raises
    ------
    SceneError : there is no guide, or it holds no mode together at any of the frequencies.
    """
    monitor, operator = setting.monitor, setting.operator
    assert monitor.transform is not None
    frequencies = monitor.transform.frequencies
    start, end = where.vertices
    equations = tuple(setting.auxiliary_equations)
    across = line_across(start, end, operator, equations, setting.refused)
    s, _ = across.places(*line.points.T)
    mu = values_at_points(operator, "mu", line.elements, *line.points.T)
    index = np.zeros((len(frequencies), where.modes))
    e, h = np.zeros((2, *index.shape, len(line)))
    notices: list[str] = []
    for i, frequency in enumerate(frequencies):
        modes = across.modes(frequency).first(where.modes)
        there, omega = slice(len(modes)), 2 * np.pi * frequency
        if not notices and len(modes):
            said = cut_off(across, modes, frequency, setting.refused)
            notices += [f"{monitor.what} {said}"] if said else []
        index[i, there] = modes.wave_numbers / omega
        e[i, there] = modes.at(s)[0]
        h[i, there] = index[i, there, None] / mu * e[i, there]
    if not index.any():
        modes_of(across, max(frequencies), 0, setting.refused)
    missing = [(f, int(n)) for f, n in zip(frequencies, (index == 0).sum(axis=1), strict=True) if n]
    if missing:
        f, n = missing[0]
        notices.append(
            f"the guide of {monitor.what} holds {where.modes - n} of {where.modes} modes together "
            f"at the frequency {f:g}; amplitudes of the others are 0 there"
        )
    return ModesAcross(index, e, h), notices
