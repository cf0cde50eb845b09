"""What a simulation goes on from."""

from __future__ import annotations

from dataclasses import dataclass

from wavelab.physics.operator.fields import Fields


@dataclass(frozen=True)
class State:
    """The fields at one time, with the auxiliary variables: enough to go on from there."""

    fields: Fields
    time: float
    steps: int
