"""What a simulation goes on from: about, and exactly."""

from __future__ import annotations

from dataclasses import dataclass

from wavelab.numerics.time.pieces import Piece
from wavelab.physics.operator.fields import Fields
from wavelab.physics.stepper import KeptState
from wavelab.simulation.core.nan_guard import GuardMark
from wavelab.simulation.records.monitor_records import RecordsMark


@dataclass(frozen=True)
class State:
    """The fields at one time, with the auxiliary variables: enough to go on from there."""

    fields: Fields
    time: float
    steps: int


@dataclass(frozen=True, eq=False)
class Moment:
    """One simulation at the begin of a step: what it goes on from bit for bit, as long as its
    problem and its stepper are the same.

    Attributes
    ----------
    kept : of the stepper.
    piece : between which jumps it is.
    guard, checked : how much energy is allowed, and the step of the last look at it.
    records : of the monitors.
    """

    kept: KeptState
    piece: Piece
    guard: GuardMark
    checked: int
    records: RecordsMark
