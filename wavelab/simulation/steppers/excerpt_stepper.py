"""One rank of a mesh of which the first one sees an excerpt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from wavelab.arrays import Array, Indices
from wavelab.physics.initial_fields import initial_fields
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.monitors.probe_points import ProbePoints
from wavelab.physics.monitors.running_transform import RunningTransform
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.operator import Operator
from wavelab.physics.semi_discrete import SemiDiscrete
from wavelab.physics.sources.source_terms import FaceSourceTerm, NodalSourceTerm, SourceTerm
from wavelab.physics.stepper import Stepper
from wavelab.physics.subdomains.partition import Subdomain
from wavelab.physics.subdomains.restriction import nodes_on, placed, points_on, transform_on
from wavelab.scene.model.scene import Scene
from wavelab.simulation.steppers.subdomain_stepper import SubdomainStepper


class ExcerptStepper(SubdomainStepper):
    """Asked in terms of those of its elements that the first rank sees.

    Parameters
    ----------
    operator : of the stepper.
    seen : (n_seen,) where these are among the elements of the rank.
    scene : says how all others begin.
    """

    def __init__(
        self,
        stepper: Stepper,
        operator: Operator,
        subdomain: Subdomain,
        seen: Indices,
        scene: Scene,
    ) -> None:
        super().__init__(stepper, subdomain)
        self._operator, self._shown, self._scene = operator, seen, scene
        self._of_seen = np.full(len(subdomain.elements), -1, np.int64)
        self._of_seen[seen] = np.arange(len(seen))

    def set_fields(self, fields: Fields) -> None:
        """Those of what is seen; the others are as they begin."""
        whole = initial_fields(self._scene, SemiDiscrete(self._operator, (), ()))
        for all_of_it, values in zip(whole.arrays, fields.arrays, strict=True):
            all_of_it[self._shown] = values
            all_of_it[~self._own] = 0.0
        self.stepper.set_fields(replace(whole, auxiliary=fields.auxiliary))

    def set_auxiliary_equations(self, equations: Sequence[AuxiliaryEquations]) -> None:
        here = (e.on_part(self._of_seen) for e in equations)
        super().set_auxiliary_equations([e for e in here if e is not None])

    def set_source_terms(self, source_terms: Sequence[SourceTerm]) -> None:
        n = self._operator.discretization.nodes_per_element
        found = []
        for term in source_terms:
            assert isinstance(term, NodalSourceTerm | FaceSourceTerm)
            found.append(placed(term, n, self._shown))
        self.stepper.set_source_terms([term for term in found if term is not None])

    def set_probes(self, probes: ProbePoints) -> None:
        self.stepper.set_probes(points_on(probes, self._shown)[1])

    def set_sampling(
        self, points: ProbePoints, losses: Sequence[int | AuxiliaryEquations], every: int
    ) -> None:
        of = [e if isinstance(e, int) else e.on_part(self._of_seen) for e in losses]
        here = [e for e in of if e is not None]
        super().set_sampling(points_on(points, self._shown)[1], here, every)

    def set_transforms(self, transforms: Sequence[RunningTransform]) -> None:
        here = (transform_on(transform, self._shown)[1] for transform in transforms)
        self.stepper.set_transforms([transform for transform in here if transform is not None])

    def samples(self, points: ProbePoints) -> Array:
        return self.stepper.samples(points_on(points, self._shown)[1])

    def ping(self, nodes: Indices, values: Array) -> None:
        n = self._operator.discretization.nodes_per_element
        self.stepper.ping(nodes_on(nodes, n, self._shown)[1], values)
