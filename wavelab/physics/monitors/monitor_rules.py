"""What a mesh and its media allow monitors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wavelab.errors import SceneError
from wavelab.numerics.fields.line_quadrature import LineQuadrature
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.notices.resolution import judgement, points_per_wavelength
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.scene.model.measuring.monitor import Monitor
from wavelab.scene.model.scene import Scene

#: Nodes per wavelength below which a mesh carries nothing of a wave.
_FEWEST_POINTS = 2.0
#: What auxiliary equations of a kind are.
_LAYERS = {"open": "layer along an open wall", "medium": "dispersive medium"}


def frequency_notices(
    monitor: Monitor,
    scene: Scene,
    operator: MaxwellTM,
    auxiliary_equations: Sequence[AuxiliaryEquations],
) -> list[str]:
    """What is to be said of frequencies that the mesh carries badly.

    Raises
    ------
    SceneError : it does not carry one at all.
    """
    highest = max(monitor.transform.frequencies) if monitor.transform is not None else 0.0
    if highest == 0:
        return []
    points = points_per_wavelength(operator, highest, auxiliary_equations).points
    order = operator.discretization.order
    if points < _FEWEST_POINTS:
        raise refused(
            monitor,
            scene,
            f"asks for the frequency {highest:g}, of which the mesh carries nothing: "
            f"{points:.1f} points per wavelength",
            f"The mesh carries frequencies up to {highest * points / _FEWEST_POINTS:.3g}; use "
            "smaller elements or a higher order.",
        )
    if judgement(order, points) == "too coarse":
        return [
            f'the mesh carries the frequency {highest:g} of monitor "{monitor.name}" badly: '
            f"{points:.1f} points per wavelength"
        ]
    return []


def medium_around(
    monitor: Monitor,
    scene: Scene,
    operator: MaxwellTM,
    line: LineQuadrature,
    auxiliary_equations: Sequence[AuxiliaryEquations],
) -> tuple[float, float]:
    """Permittivity and permeability of the medium that a contour runs through.

    Raises
    ------
    SceneError : it is not one alone, or has losses.
    """
    media = np.unique(
        np.column_stack([operator.epsilon, operator.mu, operator.sigma])[line.elements], axis=0
    )
    profiles = operator.media.profiles
    graded = any(np.isin(line.elements, profile.elements).any() for profile in profiles)
    if graded:
        raise refused(
            monitor,
            scene,
            "has a contour through a medium that is a formula",
            "All of the contour must run through one medium that is the same everywhere.",
        )
    if len(media) > 1 or media[0, 2] > 0:
        raise refused(
            monitor,
            scene,
            f"has a contour through {len(media)} media"
            if len(media) > 1
            else "has its contour in a conductor",
            "All of the contour must run through one medium without losses, which is taken to go "
            "on for ever outside.",
        )
    for kind, where in _LAYERS.items():
        if in_layers(line, auxiliary_equations, kind):
            raise refused(
                monitor,
                scene,
                f"has a contour through the {where}",
                "All of the contour must run through one medium without losses; elements "
                "that reach into a layer belong to it.",
            )
    return float(media[0, 0]), float(media[0, 1])


def in_layers(
    line: LineQuadrature, auxiliary_equations: Sequence[AuxiliaryEquations], kind: str
) -> bool:
    """Whether a line runs through elements on which auxiliary equations of a kind hold."""
    return any(
        np.isin(line.elements, equations.elements).any()
        for equations in auxiliary_equations
        if equations.kind == kind
    )


def refused(monitor: Monitor, scene: Scene, what: str, remedy: str) -> SceneError:
    """An exception that says what is wrong with a monitor."""
    return SceneError(
        f'monitor "{monitor.name}" {what}',
        where=scene.where,
        remedy=remedy,
    )
