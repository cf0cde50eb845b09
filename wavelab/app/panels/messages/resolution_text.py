"""One sentence on how well the mesh carries the waves of a scene."""

from __future__ import annotations

from dataclasses import dataclass

from wavelab.app.base import measures
from wavelab.app.base.numbers import three_figures
from wavelab.physics.notices.frequencies import known_frequencies
from wavelab.physics.notices.resolution import (
    POINTS_FOR_1_PERCENT,
    POINTS_FOR_10_PERCENT,
    judgement,
    points_per_wavelength,
)
from wavelab.physics.problem import Problem


@dataclass(frozen=True)
class ResolutionText:
    """``text`` for the panel; ``meaning`` says how it is reckoned."""

    text: str
    meaning: str


def resolution_of(problem: Problem) -> ResolutionText:
    """Points per wavelength at the highest frequency of the sources, or of the monitors where a
    source hides its own, with a judgement.

    Without a source whose frequency is known: the shortest wave that is carried well.
    """
    order = problem.discretization.order
    measured = min(order, max(POINTS_FOR_1_PERCENT))
    good, rough = POINTS_FOR_1_PERCENT[measured], POINTS_FOR_10_PERCENT[measured]
    scale = (
        f"Counted on the coarsest element for its medium, {order + 1} points along its longest "
        f"edge. At order {order} a wave is off by 1 % after ten periods with {good:g} points per "
        f"wavelength, and by 10 % with {rough:g}."
    )
    known = [(each.highest, each.what) for each in known_frequencies(problem.scene)]
    if not known:
        # Points grow in proportion to the wavelength.
        shortest = good / points_per_wavelength(problem.operator, 1.0).points
        return ResolutionText(f"Good for periods above {measures.time(shortest)}", scale)
    frequency, what = max(known)
    found = points_per_wavelength(problem.operator, frequency, problem.auxiliary_equations)
    verdict = judgement(order, found.points)
    return ResolutionText(
        f"{three_figures(found.points)} points per wavelength: {verdict}",
        f"For {what}, highest frequency {measures.frequency(frequency)}, shortest wave "
        f"{measures.length(found.wavelength)}. {scale}",
    )
