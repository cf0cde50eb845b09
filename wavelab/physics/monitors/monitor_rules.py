"""What a mesh and its media allow monitors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wavelab.errors import SceneError
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.line_quadrature import LineQuadrature
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.notices.resolution import judgement, points_per_wavelength
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.operator.operator import Operator
from wavelab.scene.model.measuring.monitor import Monitor
from wavelab.scene.model.scene import Scene

#: Nodes per wavelength below which a mesh carries nothing of a wave.
_FEWEST_POINTS = 2.0
#: Relative error of an amplitude by a part of a period that is not worth a word.
_LEAST_LEFT_OVER = 1e-3
#: What auxiliary equations of a kind are.
_LAYERS = {"open": "layer along an open wall", "medium": "dispersive or lossy medium"}


@dataclass(frozen=True)
class Setting:
    """A monitor, and what it is made discrete with.

    Attributes
    ----------
    dt : largest time step.
    auxiliary_equations : of the layers along open walls and of dispersive media.
    """

    monitor: Monitor
    scene: Scene
    operator: Operator
    dt: float
    auxiliary_equations: Sequence[AuxiliaryEquations]

    @property
    def discretization(self) -> Discretization:
        return self.operator.discretization

    def refused(self, what: str, remedy: str) -> SceneError:
        """An exception that says what is wrong with the monitor."""
        message = f"{self.monitor.what} {what}"
        return SceneError(message, where=self.scene.where, remedy=remedy)

    def in_layers(self, line: LineQuadrature, kind: str) -> bool:
        """Whether a line runs through elements on which auxiliary equations of a kind hold."""
        return any(
            np.isin(line.elements, equations.elements).any()
            for equations in self.auxiliary_equations
            if equations.kind == kind
        )


def frequency_notices(setting: Setting) -> list[str]:
    """What is to be said of frequencies that the mesh carries badly, or the window cuts off.

    Raises
    ------
    SceneError : it does not carry one at all.
    """
    monitor, operator = setting.monitor, setting.operator
    highest = max(monitor.transform.frequencies) if monitor.transform is not None else 0.0
    if highest == 0:
        return []
    equations = setting.auxiliary_equations
    points = points_per_wavelength(operator, highest, equations).points
    if points < _FEWEST_POINTS:
        carried = highest * points / _FEWEST_POINTS
        # In a dispersive medium that is another one at each frequency.
        dispersive = any(e.kind == "medium" for e in equations)
        raise setting.refused(
            f"asks for the frequency {highest:g}, of which the mesh carries nothing: "
            f"{points:.1f} points per wavelength",
            "Leave it out, or use smaller elements or a higher order."
            if dispersive
            else f"The mesh carries frequencies up to {carried:.3g}; use smaller elements or a "
            "higher order.",
        )
    notices = _parts_of_periods(monitor, setting.scene)
    if judgement(operator.discretization.order, points) == "too coarse":
        notices.append(
            f"the mesh carries the frequency {highest:g} of {monitor.what} badly: "
            f"{points:.1f} points per wavelength"
        )
    return notices


def _parts_of_periods(monitor: Monitor, scene: Scene) -> list[str]:
    """What a plain window makes of waves that go on, if it is no whole number of half periods long.

    Of a sine Re[X exp(-2 pi i f t)] the window of length T sums X and, from its conjugate, a part
    of |sin(2 pi f T) / (2 pi f T)|.
    """
    transform = monitor.transform
    assert transform is not None
    end = scene.solver.until if transform.end is None else transform.end
    length = end - transform.begin
    if transform.window != "none" or length <= 0:
        return []
    waves = [source.in_time for source in scene.sources]
    # That of a pulse has a highest frequency above the one it is around.
    going_on = {
        wave.carrier
        for wave in waves
        if wave is not None and wave.carrier and wave.highest_frequency == wave.carrier
    }
    notices = []
    for frequency in going_on.intersection(transform.frequencies):
        turns = 2 * math.pi * frequency * length
        if (error := abs(math.sin(turns) / turns)) < _LEAST_LEFT_OVER:
            continue
        periods = frequency * length
        begin = end - max(1, math.floor(periods)) / frequency
        remedy = f"let it begin at {begin:.6g}" if begin >= 0 else "let it end later"
        notices.append(
            f"{monitor.what} takes {periods:.2f} periods of the frequency {frequency:g}: with a "
            f"part of one amplitudes are up to {error:.1%} off; {remedy}"
        )
    return notices


def medium_around(setting: Setting, line: LineQuadrature) -> tuple[float, float]:
    """Permittivity and permeability of the medium that a contour runs through.

    Raises
    ------
    SceneError : it is not one alone, or has losses.
    """
    operator = setting.operator
    if not isinstance(operator, MaxwellTM):
        raise setting.refused("is not made for elastic waves", "Record a line of receivers.")
    media = np.unique(
        np.column_stack([operator.epsilon, operator.mu, operator.sigma])[line.elements], axis=0
    )
    profiles = operator.media.profiles
    if any(np.isin(line.elements, profile.elements).any() for profile in profiles):
        raise setting.refused(
            "has a contour through a medium that is a formula or depends on the field",
            "All of the contour must run through one medium that is the same everywhere.",
        )
    if any(np.isin(line.elements, tensor.elements).any() for tensor in operator.media.tensors):
        raise setting.refused(
            "has a contour through an anisotropic medium",
            "All of the contour must run through one medium that is the same in all directions.",
        )
    if len(media) > 1 or media[0, 2] > 0:
        raise setting.refused(
            f"has a contour through {len(media)} media"
            if len(media) > 1
            else "has its contour in a medium with losses",
            "All of the contour must run through one medium without losses, which is taken to go "
            "on for ever outside.",
        )
    for kind, where in _LAYERS.items():
        if setting.in_layers(line, kind):
            raise setting.refused(
                f"has a contour through the {where}",
                "All of the contour must run through one medium without losses; elements "
                "that reach into a layer belong to it.",
            )
    return float(media[0, 0]), float(media[0, 1])
