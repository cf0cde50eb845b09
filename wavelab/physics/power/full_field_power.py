"""Powers that follow from the whole field alone, so that they are looked at only now and then: what
:mod:`wavelab.physics.power.sampled_power` leaves of :func:`wavelab.physics.power.power.powers`.

What changing media and sources without a fixed profile do has one formula each, that of
:mod:`wavelab.physics.power.power`.  The loss between the elements is dear, and apart from the
others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wavelab.physics.operator.elastic import ElasticPSV
from wavelab.physics.operator.elastic_jumps import ElasticFaces
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.jumps import InnerFaces, ReflectingWalls
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.operator.media import each_field
from wavelab.physics.operator.operator import Operator
from wavelab.physics.power.elastic_incident import ElasticIncident
from wavelab.physics.power.incident_power import IncidentPower
from wavelab.physics.power.power import (
    parametric_power,
    source_power,
    upwind_loss,
    varied_joule_power,
)
from wavelab.physics.power.power_terms import Powers
from wavelab.physics.sources.source_terms import FaceSourceTerm, NodalSourceTerm, SourceTerm
from wavelab.remembered import Remembered

#: What takes a while to be found, and stays while sources come and go.
_faces: Remembered[MaxwellTM, tuple[InnerFaces, ReflectingWalls]] = Remembered(1)
_elastic: Remembered[ElasticPSV, ElasticFaces] = Remembered(1)

#: Part of 1 / epsilon that its rates do not explain before it counts as a jump.
_JUMP = 0.02


def full_field_powers(
    operator: Operator,
    fields: Fields,
    source_terms: Sequence[SourceTerm] = (),
    time: float = 0.0,
) -> Powers:
    """All but the :class:`FullFieldLoss`; nothing of elastic waves, of which all is sampled."""
    if not isinstance(operator, MaxwellTM):
        return Powers(0.0, 0.0, 0.0, 0.0, 0.0)
    return Powers(
        source=sum(source_power(operator, fields, term, time) for term in _others(source_terms)),
        wall=0.0,
        joule=varied_joule_power(operator, fields, time),
        upwind=0.0,
        parametric=parametric_power(operator, fields, time),
    )


def flux_loss(operator: Operator, fields: Fields) -> float:
    """``upwind`` alone, of fields without sources."""
    if isinstance(operator, MaxwellTM):
        return upwind_loss(operator, fields)
    assert isinstance(operator, ElasticPSV)
    return _elastic_faces(operator).loss(fields)


def has_full_field_powers(operator: Operator, source_terms: Sequence[SourceTerm]) -> bool:
    """Whether any of :func:`full_field_powers` can differ from 0."""
    return bool(operator.media.losses or operator.media.changes or _others(source_terms))


def _others(source_terms: Sequence[SourceTerm]) -> list[SourceTerm]:
    """Those without a fixed profile, which do not come in through faces either."""
    return [term for term in source_terms if not isinstance(term, NodalSourceTerm | FaceSourceTerm)]


@dataclass(frozen=True)
class FullFieldLoss:
    """The part of ``upwind`` that the jumps between elements make, and those at walls that take
    nothing.

    Attributes
    ----------
    faces, walls : of the operator, which take a while to be found.
    incident : waves that come in, and make up for a part of the jumps; None without any.
    """

    operator: MaxwellTM
    faces: InnerFaces
    walls: ReflectingWalls
    incident: IncidentPower | None

    @classmethod
    def of(
        cls, operator: Operator, incident: IncidentPower | ElasticIncident | None = None
    ) -> FullFieldLoss | ElasticLoss:
        """Of a problem with these waves."""
        if isinstance(operator, ElasticPSV):
            assert not isinstance(incident, IncidentPower)
            return ElasticLoss(_elastic_faces(operator), incident)
        assert isinstance(operator, MaxwellTM)
        assert not isinstance(incident, ElasticIncident)
        faces, walls = _faces.get(operator, None, lambda: _faces_of(operator))
        return cls(operator, faces, walls, incident)

    def power(self, fields: Fields, time: float) -> float:
        """For these fields at this time."""
        if self.operator.upwinding == 0:
            return 0.0
        misread = self.incident.misread(fields, time) if self.incident is not None else 0.0
        return misread + self.faces.loss(fields) + self.walls.loss(fields)


@dataclass(frozen=True)
class ElasticLoss:
    """All that the flux of elastic waves takes, beside waves that come in through walls."""

    faces: ElasticFaces
    incident: ElasticIncident | None

    def power(self, fields: Fields, time: float) -> float:
        """For these fields at this time."""
        misread = self.incident.misread(fields, time) if self.incident is not None else 0.0
        return misread + self.faces.loss(fields)


def _faces_of(operator: MaxwellTM) -> tuple[InnerFaces, ReflectingWalls]:
    return InnerFaces.of(operator), ReflectingWalls.of(operator)


def _elastic_faces(operator: ElasticPSV) -> ElasticFaces:
    return _elastic.get(operator, None, lambda: ElasticFaces(operator))


def sudden_work(
    operator: Operator, fields: tuple[Fields, Fields], times: tuple[float, float]
) -> float:
    """What media that jump between two times put in beside the mean of ``parametric``.

    A formula may change at once, and has no rate then.  D and B go on steadily, so the work is
    1/2 int D^2 [1/eps], with D the mean of both times; of points where 1/eps is where its rates
    lead, nothing.

    Parameters
    ----------
    fields, times : before and after.
    """
    work, elapsed = 0.0, times[1] - times[0]
    for name, profile in each_field(operator.media):
        if not profile.changes:
            continue
        before, after = (profile.shares(t) for t in times)
        expected = elapsed * (profile.share_rates(times[0]) + profile.share_rates(times[1])) / 2
        jump = after - before - expected
        jump = np.where(np.abs(jump) > _JUMP * np.maximum(before, after), jump, 0.0)
        if not jump.any():
            continue
        rule, k = profile.projection, profile.elements
        scaled = [
            rule.undone(share, getattr(f, name)[k])
            for share, f in zip((before, after), fields, strict=True)
        ]
        mean = (scaled[0] + scaled[1]) / 2
        work += 0.5 * float(rule.integral(jump, mean, mean) @ profile.reference)
    return work
