"""What every stepper offers, so that the rest of the program cannot tell which one runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Indices, Mask
from wavelab.numerics.time.clusters import Clusters
from wavelab.numerics.time.pieces import Piece
from wavelab.numerics.time.runge_kutta import LowStorageScheme
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.monitors.probe_points import ProbePoints
from wavelab.physics.monitors.running_transform import RunningTransform, Sums
from wavelab.physics.monitors.samples import Sampling
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.operator import Operator
from wavelab.physics.sources.source_terms import SourceTerm

T_co = TypeVar("T_co", covariant=True)

#: What ``Stepper.view`` can show beside the fields of all equations: "h", the size of their vector,
#: |H| or the speed |v|, and the density of energy; of elastic waves the pressure too.
_DERIVED = ("h", "energy")


def quantities_of(fields: type[Fields]) -> tuple[str, ...]:
    """What ``Stepper.view`` can show of these fields."""
    pressure = ("pressure",) if "sxx" in fields.names else ()
    return (*fields.names, *_DERIVED, *pressure)


#: Most steps between two looks whether the fields are finite.  What is not spreads by an element at
#: each stage, and only while something is finite around can be told where it began.
LOOK_EVERY = 4

#: How time goes on: a Runge-Kutta scheme, or steps of their own for clusters of elements.
TimeScheme = LowStorageScheme | Clusters
#: Told which operator is going to be stepped, and how.
Ready = Callable[[Operator, TimeScheme], None]


class Coming(Protocol[T_co]):
    """What is to be shown, on their way from the device while it takes more steps.

    One thread may ask for them, which need not be that of the stepper.
    """

    @property
    def here(self) -> bool:
        """Whether nobody would wait for them."""

    def values(self) -> T_co | None:
        """What was asked for, once it is here: (n_elements, nodes_per_element) of a view; None if
        the stepper was closed before, or something else has taken its place."""


ComingView = Coming[NDArray[np.float32]]


@dataclass(frozen=True)
class ViewAtHand(Generic[T_co]):
    """A :class:`Coming` of what is here."""

    of: T_co
    here: bool = True

    def values(self) -> T_co | None:
        return self.of


@dataclass(frozen=True, eq=False)
class KeptState:
    """All that a stepper goes on from at the begin of a step, of use to this stepper alone.

    Attributes
    ----------
    arrays : the numbers as they lie there, copied.
    rest : its clock, and what else it counts.
    """

    arrays: tuple[NDArray[Any], ...]
    rest: tuple[Any, ...]

    @property
    def n_bytes(self) -> int:
        return sum(array.nbytes for array in self.arrays)


class Stepper(Protocol):
    """Advances the fields on one mesh by a fixed time step.

    All arrays on this side are (n_elements, nodes_per_element) or flat views of it: node n of
    element k has the flat index k * nodes_per_element + n.  One thread at a time may call a
    stepper: it can be handed on, but not shared.
    """

    backend: str  #: "opencl" or "numpy"
    device: str  #: name of the device as shown to the user
    precision: str  #: "single" or "double"
    dt: float  #: time step; with local time stepping the longest
    steps: int  #: steps done since the start

    @property
    def time(self) -> float:
        """Simulated time, not outside of the piece that was entered."""

    @property
    def scheme(self) -> TimeScheme:
        """How a step is taken."""

    def enter(self, piece: Piece) -> None:
        """Take formulas of time at those of a piece only, from now on.

        If it follows the one before (:meth:`wavelab.numerics.time.pieces.Piece.follows`) media may
        have jumped: D and B stay, and the fields become what they are at the new time.
        """

    def set_clock(self, time: float, steps: int) -> None:
        """Go on from this time and step count (a reset, or a field carried over from elsewhere)."""

    def set_fields(self, fields: Fields) -> None:
        """Replace the fields, and the auxiliary variables by theirs or by 0 if they have
        none; the Runge-Kutta residual is forgotten."""

    def fields(self) -> Fields:
        """The fields now, in double precision, as a copy, with the auxiliary variables."""

    def keep(self) -> KeptState:
        """All that the next steps depend on, and what transforms have summed up, between two whole
        steps."""

    def put_back(self, kept: KeptState) -> None:
        """Go on from what :meth:`keep` gave: bit for bit as then, if sources, auxiliary equations
        and transforms are those of then.  What was sampled is left as it is."""

    def set_source_terms(self, source_terms: Sequence[SourceTerm]) -> None:
        """Replace all sources.

        Raises
        ------
        FormulaError : a number in a formula does not fit into the device's precision.
        """

    def set_auxiliary_equations(self, equations: Sequence[AuxiliaryEquations]) -> None:
        """Replace all auxiliary equations; their variables start at 0.

        Raises
        ------
        FormulaError : as for :meth:`set_source_terms`.
        ValueError : an element has several, and steps are local.
        """

    def set_operator(
        self, operator: Operator, equations: Sequence[AuxiliaryEquations], dt: float
    ) -> bool:
        """Replace the operator by another one of the same scheme, with steps of ``dt``, and the
        auxiliary equations: fields stay as they are, and flux densities become theirs; so do
        variables, or they are 0 where others hold elsewhere or have others.

        False, and nothing has changed, where that takes another stepper: of an operator on other
        nodes, or where kernels are written otherwise.

        Raises
        ------
        FormulaError, ValueError : as for :meth:`set_auxiliary_equations`; what was before may be
            set again.
        """

    def set_probes(self, probes: ProbePoints) -> None:
        """Replace all probes."""

    def set_sampling(self, sampling: Sampling, every: int) -> None:
        """Replace what is sampled, which is sampled after steps whose number is a multiple of
        ``every``, and kept until they are read.  The auxiliary equations they name have been set.

        Raises
        ------
        FormulaError : as for :meth:`set_source_terms`.
        """

    def read_sampled(self) -> tuple[Array, Array]:
        """What was sampled since it was last read: times (n,), values (n, n_values)."""

    def sample_now(self) -> Array:
        """(n_values,) what is sampled, now."""

    def set_transforms(self, transforms: Sequence[RunningTransform]) -> None:
        """Replace all running sums; they begin at 0.

        Raises
        ------
        DeviceError : the sums do not fit on the device.
        """

    def read_transforms(self, which: Sequence[int] | None = None) -> list[Sums]:
        """What has come together since :meth:`set_transforms`, in some or in all."""

    def ping(self, nodes: Indices, values: Array) -> None:
        """Add values (n,), or (n_pinged, n), to what a ping adds to (``pinged`` of the operator),
        Ez[nodes] += values for example; nodes are distinct flat indices."""

    def advance(self, n_steps: int) -> Array:
        """Take ``n_steps`` steps; returns the fields at the probes after each, (n_steps, n_probes).

        May return before the device has finished when there are no probes.
        """

    def advance_part(self, part: float) -> None:
        """Begin the next step, or go on with it, by a part of a whole one, so that ``time`` lies
        inside of it; :meth:`advance` takes the rest as its first step."""

    def synchronize(self) -> None:
        """Wait until everything asked of the device is done."""

    def view(self, quantity: str) -> NDArray[np.float32]:
        """(n_elements, nodes_per_element) nodal values of one of :func:`quantities_of`."""

    def begin_view(self, quantity: str) -> ComingView:
        """What :meth:`view` would give now, without waiting for it.

        It takes the place of one begun before, whose values are lost if nobody has them yet.
        """

    def begin_samples(self, points: ProbePoints) -> ComingView:
        """(n_points,) the fields at points as they are now, without waiting for them.

        They take the place of ones begun before, as those of :meth:`begin_view` do.
        """

    def samples(self, points: ProbePoints) -> Array:
        """(n_points,) the fields at points now; those on their way are left alone."""

    def element_energy(self) -> Array:
        """(n_elements,) integral of the energy density over each element; not finite or huge
        entries show where a run went wrong.  Where the operator is that of an excerpt of a mesh one
        more, over all that is not in it."""

    def first_not_finite(self) -> tuple[int, Mask] | None:
        """Where the fields stopped being finite: the number of the step after which that was first
        seen, and (n_elements,) the elements in which it was; None if it was not seen.

        Looked at every ``LOOK_EVERY`` steps or more often, and forgotten when fields or clock are
        set.
        """

    def close(self) -> None:
        """Release the device memory; the stepper is not usable afterwards."""
