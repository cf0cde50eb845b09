"""Where the probes of a scene lie on its mesh."""

from __future__ import annotations

import numpy as np

from wavelab.errors import SceneError
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.interpolation import weights_at
from wavelab.physics.monitors.probe_points import ProbePoints
from wavelab.scene.model.scene import Probe, Scene
from wavelab.scene.systems import system_of


def probe_points(scene: Scene, d: Discretization) -> ProbePoints:
    """Locate the probes of a scene on its mesh.

    Raises
    ------
    SceneError : a probe lies outside the domain.
    """
    points, outside = located(scene.probes, scene, d)
    for probe in outside:
        x, y = probe.position
        raise SceneError(
            f'probe "{probe.name}" at ({x:g}, {y:g}) lies outside the domain',
            remedy="Move it inside.",
        )
    return points


def located(
    probes: tuple[Probe, ...], scene: Scene, d: Discretization
) -> tuple[ProbePoints, list[Probe]]:
    """Those probes that lie in the domain of a scene, on its mesh, and the others."""
    if not probes:
        return ProbePoints.none(d.nodes_per_element), []
    elements, weights = weights_at(d, np.array([p.position for p in probes], np.float64))
    inside = elements >= 0
    kept = [p for p, there in zip(probes, inside, strict=True) if there]
    shown = system_of(scene).shown
    recorded = [shown[p.quantity] for p in kept]
    signs = np.array([f.sign for f in recorded])
    points = ProbePoints(
        tuple(p.name for p in kept),
        elements[inside],
        signs.reshape(-1, 1) * weights[inside],
        tuple(f.of for f in recorded),
    )
    return points, [p for p, there in zip(probes, inside, strict=True) if not there]
