"""Steps that are cut where a formula of time jumps.

The steps stay as they are, equally long and as many: what is sampled after each, and all that
counts them, sees no difference.  Only a step with a jump inside is taken in two parts: up to the
jump, with what formulas are before it, and from there, with what they are after it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from wavelab.arrays import Array
from wavelab.numerics.time.pieces import ALWAYS, Piece
from wavelab.physics.stepper import Stepper
from wavelab.physics.time.jumps import Timed
from wavelab.physics.time.lookout import Lookout
from wavelab.physics.time.step_clock import StepClock

#: Part of a step in which a jump counts as at its end.
_AT_ONCE = 1e-9


class CutSteps:
    """The steps of one stepper from a moment on, at which it is at the begin of a step.

    Parameters
    ----------
    clock : of the stepper.
    followed : what may jump.
    around : called with what makes it jump, between two steps or parts of a step.
    """

    def __init__(
        self,
        stepper: Stepper,
        clock: StepClock,
        followed: Sequence[Timed],
        around: Callable[[Callable[[], None]], None],
    ) -> None:
        self._stepper, self._clock, self._around = stepper, clock, around
        self._lookout = Lookout(followed, stepper.dt)
        self._piece = ALWAYS
        self._begun = 0.0  # part of the next step

    def mark(self) -> Piece:
        """For :meth:`go_back`, between two whole steps."""
        return self._piece

    def go_back(self, piece: Piece) -> None:
        """The stepper is where it was when :meth:`mark` gave this."""
        self._piece, self._begun = piece, 0.0

    def take(self, n_steps: int) -> list[Array]:
        """What the stepper gives of so many steps, in one or more arrays."""
        chunks, stepper = [], self._stepper
        end = stepper.steps + n_steps
        while stepper.steps < end:
            # One step ahead, so that the last step before a jump is the same one however many are
            # taken at once.
            jump = self._lookout.next(stepper.time, self._clock.after(end + 1))
            if jump is not None:
                stepper.enter(Piece(self._piece.first, jump.before))
            if jump is None or jump.before > self._clock.after(end, _AT_ONCE):
                chunks.append(self._advance(end))
                break
            whole, part = self._clock.cut(jump.before)
            if whole > stepper.steps:
                chunks.append(self._advance(whole))
            if part > self._begun + _AT_ONCE:
                stepper.advance_part(part - self._begun)
                self._begun = part
            self._piece = Piece(jump.after)
            self._around(partial(stepper.enter, self._piece))
        return chunks

    def _advance(self, end: int) -> Array:
        self._begun = 0.0
        return self._stepper.advance(end - self._stepper.steps)
