"""Resonances of a scene: frequencies, quality factors and shapes of its modes.

How they are found is in :mod:`wavelab.simulation.studies.modes.mode_search`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wavelab.arrays import Array
from wavelab.errors import SceneError
from wavelab.physics.modes.modes import (
    Mode,
    direction_of,
    has_sign,
    inside_largest,
    mode_estimate,
    shape_of,
)
from wavelab.physics.notices.resolution import points_per_wavelength
from wavelab.physics.operator.mode_volume import mode_volume
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.shapes import Point
from wavelab.scene.model.units import Scale, Written
from wavelab.simulation.studies.modes.mode_search import modes_in_band, multiplicities
from wavelab.simulation.studies.modes.ringing import Ringing
from wavelab.simulation.studies.study_runs import mesh_of, silent

Tell = Callable[[float, str], None]

#: Modes are looked for this far beyond the band, in parts of its width, so that those outside are
#: far enough away to be filtered out.
_BEYOND = 0.3
#: Times that modes are looked for, each time further up, until there are enough.
_ATTEMPTS = 3
#: Modes that can be asked for at once, and how many are looked for where nobody says.
MOST_MODES, _FEW_MODES = 60, 6


@dataclass(frozen=True, eq=False)
class Resonances:
    """What was found.

    Attributes
    ----------
    modes : by frequency.
    multiplicities : how many modes share the frequency of each.
    band : in which they lie.
    refined : whether the operator was diagonalized, or the numbers are those of the records.
    problem : the mesh and operator of the shapes.
    steps : time steps taken in all.
    left_out : how many more were found in the band: of one that was asked for none of a higher
        quality, and else those above these.
    sharper : frequency and quality of the sharpest of those, if it is sharper than all of these.
    """

    modes: tuple[Mode, ...]
    multiplicities: tuple[int, ...]
    band: tuple[float, float]
    refined: bool
    problem: Problem
    steps: int
    left_out: int = 0
    sharper: tuple[float, float] | None = None

    @property
    def frequencies(self) -> Array:
        """(n,) of the modes."""
        return np.array([mode.frequency for mode in self.modes])

    @property
    def qualities(self) -> Array:
        """(n,) quality factors; infinite where nothing is lost."""
        return np.array([mode.quality for mode in self.modes])

    @property
    def volumes(self) -> Array:
        """(n,) mode volumes, areas here (:mod:`wavelab.physics.operator.mode_volume`)."""
        operator = self.problem.operator
        seen = self._seen
        return np.array([mode_volume(operator, mode.fields[seen]) for mode in self.modes])

    @property
    def _seen(self) -> list[int]:
        operator = self.problem.operator
        return [operator.fields.names.index(name) for name in operator.pinged]

    def shape(self, number: int) -> Array:
        """(n_elements, nodes_per_element) of a mode: Ez or what is in its place, with a sign, at
        most 1; of elastic waves the size of the velocity."""
        return shape_of(self.problem.operator, self.modes[number].fields)

    @property
    def signed(self) -> bool:
        """Whether shapes have a sign."""
        return has_sign(self.problem.operator)

    def loudest(self, number: int) -> Point:
        """Where a mode is largest, just inside of an element that has that place."""
        return inside_largest(self.problem.discretization, self.shape(number))

    def direction(self, number: int) -> float | None:
        """Of the motion there (:func:`wavelab.physics.modes.modes.direction_of`)."""
        return direction_of(self.problem.operator, self.modes[number].fields)

    def table(self, scale: Scale | None = None) -> str:
        """For people: columns separated by tabs, and frequencies in hertz if there is a scale."""
        written = Written(scale, "{:.8g}".format)
        lines = ["mode\tfrequency\tQ\tmodes at it\tresidual\tmode volume"]
        each = zip(self.modes, self.multiplicities, self.volumes, strict=True)
        for i, (mode, n, volume) in enumerate(each, 1):
            q = "lossless" if math.isinf(mode.quality) else f"{mode.quality:.5g}"
            residual = "\u2013" if math.isnan(mode.residual) else f"{mode.residual:.1e}"
            lines.append(
                f"{i}\t{written.frequency(mode.frequency)}\t{q}\t{n}\t{residual}\t{volume:.5g}"
            )
        return "\n".join(lines)

    def summary(self) -> dict[str, Any]:
        """As ``wavelab resonances --json`` prints it; Q is null where nothing is lost, a residual
        where it is not known."""
        return {
            "band": list(self.band),
            "refined": self.refined,
            "steps": self.steps,
            "left_out": self.left_out,
            "sharper": None
            if self.sharper is None
            else dict(zip(("frequency", "q"), self.sharper, strict=True)),
            "modes": [
                {
                    "frequency": mode.frequency,
                    "decay": mode.decay,
                    "q": None if math.isinf(mode.quality) else mode.quality,
                    "multiplicity": n,
                    "residual": None if math.isnan(mode.residual) else mode.residual,
                    "volume": float(volume),
                }
                for mode, n, volume in zip(
                    self.modes, self.multiplicities, self.volumes, strict=True
                )
            ],
        }


def find_resonances(
    scene: Scene,
    n_modes: int | None = None,
    band: tuple[float, float] | None = None,
    *,
    tell: Tell = lambda part, text: None,
    cancelled: Callable[[], bool] = lambda: False,
    **where: Any,
) -> Resonances:
    """The lowest modes of a scene, without its sources and initial fields.

    Parameters
    ----------
    n_modes, band, tell, cancelled, where : as for :func:`resonances_of`.

    Raises
    ------
    WavelabError : the scene cannot be meshed or discretized, or as there.
    StudyCancelledError : as ``cancelled`` said.
    """
    tell(0.0, "Meshing")
    problem = discretize_scene(silent(scene), mesh_of(scene, cancelled))
    return resonances_of(problem, n_modes, band, tell=tell, cancelled=cancelled, **where)


def resonances_of(
    problem: Problem,
    n_modes: int | None = None,
    band: tuple[float, float] | None = None,
    *,
    backend: str = "auto",
    device: str | None = None,
    tell: Tell = lambda part, text: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Resonances:
    """The lowest modes of a problem.

    Parameters
    ----------
    n_modes : how many at most, of a band those of the highest quality; None for all in a band, and
        else for 6.
    band : lowest and highest frequency to look in; None looks from the lowest mode on.
    backend, device : what computes.
    tell : told the part of the work that is done, 0 to 1, and what is being done.
    cancelled : asked about ten times a second.

    Raises
    ------
    WavelabError : the media change, the mesh does not carry the band, or nothing rings in it.
    StudyCancelledError : as ``cancelled`` said.
    """
    if n_modes is None:
        n_modes = MOST_MODES if band is not None else _FEW_MODES
    _check(problem, n_modes, band)
    ringing = Ringing(problem, backend, device, tell, cancelled)
    for attempt in range(_ATTEMPTS):
        estimate = mode_estimate(problem.operator)
        if band is not None:
            low, high = band
        else:
            # Weyl's law is right on average; what it misses, another attempt finds.
            high = estimate.frequency_of(1.3 * n_modes + 1) * 1.25**attempt
            low = 0.3 * estimate.frequency_of(1.0)
        _check_carried(problem, high)
        wide = max(low - _BEYOND * (high - low), 0.7 * low), high + _BEYOND * (high - low)
        expected = max(3.0, estimate.count(wide[1]) - estimate.count(wide[0]))
        ringing.tell_from(attempt / _ATTEMPTS if attempt else 0.0)
        modes, refined = modes_in_band(problem, ringing, (low, high), wide, expected)
        if band is not None or len(modes) >= n_modes:
            break
    if not modes:
        raise SceneError(
            f"nothing rings between the frequencies {low:.4g} and {high:.4g}",
            where=problem.scene.where,
            remedy="Look in another band; a scene that is open all round has no resonances.",
        )
    tell(1.0, "Done")
    lowest = list(range(min(n_modes, len(modes))))
    chosen = lowest if band is None else _sharpest(modes, n_modes)
    shared = multiplicities(modes)
    return Resonances(
        tuple(modes[i] for i in chosen),
        tuple(shared[i] for i in chosen),
        (low, high),
        refined,
        problem,
        ringing.steps,
        len(modes) - len(chosen),
        _sharper(modes, chosen),
    )


def _sharpest(modes: Sequence[Mode], count: int) -> list[int]:
    """Numbers of those of the highest quality, the lower one of two that lose nothing; by
    frequency."""
    order = sorted(range(len(modes)), key=lambda i: (-modes[i].quality, modes[i].frequency))
    return sorted(order[:count])


def _sharper(modes: Sequence[Mode], chosen: Sequence[int]) -> tuple[float, float] | None:
    """Frequency and quality of the sharpest mode, if it is not among those chosen."""
    best = max(modes, key=lambda mode: mode.quality)
    if math.isinf(best.quality) or best.quality <= max(modes[i].quality for i in chosen):
        return None
    return best.frequency, best.quality


def _check(problem: Problem, n_modes: int, band: tuple[float, float] | None) -> None:
    where = problem.scene.where
    if not 1 <= n_modes <= MOST_MODES:
        raise SceneError(
            f"{n_modes} modes cannot be looked for",
            where=where,
            remedy=f"Ask for 1 to {MOST_MODES}, and for higher ones with a band.",
        )
    if band is not None and not (0 < band[0] < band[1] and math.isfinite(band[1])):
        raise SceneError(
            f"the band from {band[0]:g} to {band[1]:g} is none",
            where=where,
            remedy="Give two frequencies greater than 0, the lower one first.",
        )
    if problem.operator.media.kerr:
        raise SceneError(
            "a scene with Kerr media has no resonances: its frequencies depend on the field",
            where=where,
            remedy="Leave chi out, for those of weak waves.",
        )
    if problem.operator.media.changes:
        raise SceneError(
            "a scene whose media change has no resonances",
            where=where,
            remedy="Use formulas of x and y alone.",
        )
    if band is not None:
        _check_carried(problem, band[1])


def _check_carried(problem: Problem, highest: float) -> None:
    points = points_per_wavelength(problem.operator, highest, problem.auxiliary_equations).points
    if points < 2.0:
        raise SceneError(
            f"the mesh carries nothing of the frequency {highest:.4g}: {points:.1f} points per "
            "wavelength",
            where=problem.scene.where,
            remedy="Use smaller elements or a higher order, or look for fewer modes.",
        )
