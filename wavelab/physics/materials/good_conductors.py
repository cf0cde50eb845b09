"""Media that conduct so well that a wave dies away in them within a part of an element.

There Ez follows the curl of H within epsilon / sigma, which may be any number of times faster than
waves cross an element, and a step would have to follow that too.  But the displacement current,
epsilon dEz/dt, is nothing beside sigma Ez in a good conductor: what happens in it is the diffusion
of the magnetic field, in which epsilon does not occur.  So epsilon may be raised there until Ez
follows as fast as the fastest waves of the element do (the fictitious displacement current of
Oristaglio & Hohmann, *Diffusion of electromagnetic fields into a two-dimensional earth: a
finite-difference approach*, Geophysics 49, 870, 1984).  The conductivity of a wave, sigma + i w
epsilon, is then wrong by the part w epsilon / sigma, which is the part of a radian by which the
wave goes on in the time between neighbouring nodes; and with finer elements or higher orders the
bound rises until epsilon is what it is.  With Ez and H, epsilon and mu in each other's place the
same holds of media that conduct magnetically.

What is raised is the epsilon of the whole discrete problem, the ledger included.  The impedance of
the fluxes falls with it, and by a little more than sqrt(epsilon): what leaks through the faces of a
conductor by the flux alone, which damps jumps of H, is Z times the jump, and should be less than
what sigma lets in.  As Z = sqrt(mu / epsilon) / raised^(1/4) it is, and no step gets shorter for
it but near the bound, by up to a fourth.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from wavelab.arrays import Array
from wavelab.numerics.fields.discretization import Discretization
from wavelab.physics.materials.materials import Materials, materials_by_region
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.operator.media import bounds
from wavelab.physics.operator.profile import Profile
from wavelab.scene.model.scene import Scene

#: Fastest decay of Ez by conductivity, in parts of (N + 1) (N + 2) times speed over inradius: about
#: a third of the largest eigenvalues of an element of order N.
_FASTEST = 1 / 3


def raised_by(
    materials: Materials, d: Discretization, name: Literal["epsilon", "mu"] = "epsilon"
) -> Array | None:
    """(n_elements,) how many times larger epsilon, or mu, must be for Ez, or H, not to decay faster
    than waves cross the nodes; None where that is once everywhere.

    Once where it is a formula that is not constant on its elements, or a tensor.  What conducts for
    a time only counts with its smallest conductivity: at another time it may be vacuum.
    """
    media, conducts = materials.media, "sigma" if name == "epsilon" else "magnetic_sigma"
    profiles: tuple[Profile, ...] = getattr(media, conducts)
    lowest, sigma = bounds(profiles, getattr(materials, conducts))
    for profile in profiles:
        if profile.changes:
            sigma[profile.elements] = lowest[profile.elements]
    crossing = 1 / (np.sqrt(materials.epsilon * materials.mu) * d.mesh.inradii())
    fastest = _FASTEST * (d.order + 1) * (d.order + 2) * crossing
    raised = np.maximum(sigma / (getattr(materials, name) * fastest), 1.0)
    for fixed in (*getattr(media, name), *(media.tensors if name == "mu" else ())):
        raised[fixed.elements] = 1.0
    return raised if raised.max() > 1 else None


def conductor_notices(scene: Scene, operator: MaxwellTM) -> tuple[str, ...]:
    """That a medium acts like a conductor, because its skin depth is not resolved, or, where it
    loses otherwise, like a wall."""
    mesh = operator.discretization.mesh
    media = materials_by_region(scene, mesh)
    notices = []
    for name, raised in (("sigma", operator.raised), ("magnetic_sigma", operator.raised_mu)):
        there = mesh.regions[raised > 1] if raised is not None else mesh.regions[:0]
        for number in np.unique(there):
            owner, medium = media[number]
            conducts = medium.called.get(name, name) == "sigma"
            notices.append(
                f"{owner} conducts so well that waves die away in it within a part of an element, "
                "which is not resolved: it acts like a conductor"
                if conducts
                else f"{owner} has such losses that waves die away in it within a part of an "
                "element, which is not resolved: it acts like a wall"
            )
    return tuple(notices)
