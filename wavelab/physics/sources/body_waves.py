"""Plane P and S waves through absorbing walls, as :mod:`wavelab.physics.sources.incident` has it
for scalar waves.

A wave v = d f(t - u.x / c) in the direction u has the stress

    sigma = -(lambda (d.u) 1 + mu (d u^T + u d^T)) f / c

with d = u of P waves, and u turned by a right angle of S waves.
"""

from __future__ import annotations

import math

import numpy as np

from wavelab.physics.operator.elastic import ElasticPSV
from wavelab.physics.sources.incident import check_one_medium, near, through
from wavelab.physics.sources.plane_waves import check_glued
from wavelab.physics.sources.source_terms import FaceSourceTerm, Refuse, SourceTerm
from wavelab.scene.model.sending.emissions import BodyWaveIn

#: Ways that differ by less of the mesh's extent are the same.
_SAME = 1e-12


def body_wave(wave: BodyWaveIn, operator: ElasticPSV, refuse: Refuse) -> tuple[SourceTerm, ...]:
    """The source term of a plane wave.

    Raises
    ------
    SceneError : the edges do not absorb, or are not in one solid or fluid that has such waves.
    """
    turn = math.radians(wave.direction)
    # Directions along the axes are exact.
    u = np.round([math.cos(turn), math.sin(turn)], 15)
    d, g = operator.discretization, operator.discretization.geometry
    elements, faces = through(wave.edges, operator, refuse)
    for part in operator.media.parts:
        if (graded := np.isin(elements, part.elements)).any():
            raise refuse(
                f"comes in through a medium that is a formula {near(elements, graded, d)}",
                "Choose edges along a medium whose density and speeds are numbers: the wave is "
                "known only there.",
            )
    numbers = np.column_stack(
        [of[elements] for of in (operator.density, operator.lame, operator.mu)]
    )
    check_one_medium(
        elements, numbers, d, refuse, "Choose edges along one medium: the wave is known only there."
    )
    density, lame, mu = (float(number) for number in numbers[0])
    if wave.shear and not mu:
        raise refuse(
            "is an S wave that comes in through a fluid",
            'Choose edges of a solid, or wave = "p".',
        )
    speed = math.sqrt((mu if wave.shear else lame + 2 * mu) / density)
    check_glued(wave.waveform, d, refuse, u, speed)
    along = np.array([-u[1], u[0]]) if wave.shear else u
    stress = lame * (along @ u) * np.eye(2) + mu * (np.outer(along, u) + np.outer(u, along))
    normal = np.stack([g.normal_x[elements, faces], g.normal_y[elements, faces]], axis=1)
    tangent = np.stack([-normal[:, 1], normal[:, 0]], axis=1)
    pulls = -wave.amplitude / speed * (normal @ stress)
    velocity = wave.amplitude * np.stack([normal @ along, tangent @ along], axis=1)
    traction = np.stack([(normal * pulls).sum(axis=1), (tangent * pulls).sum(axis=1)], axis=1)
    nodes = d.element.face_nodes[faces]
    way = u[0] * d.x[elements[:, None], nodes] + u[1] * d.y[elements[:, None], nodes]
    way -= way.min()
    way[way < _SAME * np.ptp(d.mesh.vertices)] = 0.0  # it comes straight in there
    at_nodes = (len(elements), nodes.shape[1], 2)
    return (
        FaceSourceTerm(
            elements,
            faces,
            np.broadcast_to(velocity[:, None], at_nodes),
            np.broadcast_to(traction[:, None], at_nodes),
            way / speed,
            wave.waveform.function(),
        ),
    )
