"""What every system of equations offers once it is discrete in space."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from wavelab.arrays import Array, Indices, Mask
from wavelab.numerics.fields.discretization import Discretization
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.flux_densities import FluxDensities
from wavelab.physics.operator.media import NO_MEDIA, Media


class Operator(ABC):
    """A linear, symmetric hyperbolic system E q_t + A_x q_x + A_y q_y + B q = 0 on the elements.

    Attributes
    ----------
    fields : what q is.
    pinged : the fields that a ping adds to.
    reflection : (n_elements, 3, ...) of the boundary faces, of each wave where there are several.
    upwinding : 0 (central flux, conserves energy) to 1 (upwind flux), the chapter's alpha.
    media : what of E and B is not one constant on its element.
    phases : (n_elements, 3) radians by which complex fields that come in through a face are ahead
        of those at the edge that it is glued to; None for real fields.
    held : (n_elements,) where the fields stay as they are, since others compute them: the halo of
        a subdomain.  None for nowhere.
    """

    fields: ClassVar[type[Fields]]
    pinged: ClassVar[tuple[str, ...]]
    #: So that :func:`dataclasses.replace` takes it: every operator is one.
    __dataclass_fields__: ClassVar[dict[str, Any]]

    discretization: Discretization
    reflection: Array
    upwinding: float
    media: Media = NO_MEDIA
    phases: Array | None = None
    held: Mask | None = None

    @property
    def unknowns(self) -> int:
        """Every field at every node of every element."""
        return len(self.fields.names) * self.discretization.x.size

    @property
    @abstractmethod
    def slowest(self) -> Array:
        """(n_elements,) smallest speed of a wave in each element."""

    @property
    @abstractmethod
    def fastest(self) -> Array:
        """(n_elements,) largest speed of a wave in each element at any time of the run."""

    @property
    def slowed(self) -> Array | None:
        """(n_elements,) how many times that of the media epsilon mu is; None for once."""
        return None

    @property
    @abstractmethod
    def decay(self) -> Array:
        """(n_elements,) how fast the medium takes the fields away by itself, 1 / time."""

    @property
    @abstractmethod
    def norm(self) -> Mapping[str, Array]:
        """(n_elements,) weights of the squares of each field in a norm like that of the energy."""

    def natural_units(self) -> Array:
        """(n_fields, n_elements) in which that norm is the sum of the squares: what the equations
        are in them does not depend on the units of the scene, while of the pressure and the
        velocity in water, in pascals and metres per second, one is a million times the other."""
        return np.array([self.norm[name] for name in self.fields.names]) ** -0.5

    @property
    @abstractmethod
    def energy_matrix(self) -> Mapping[tuple[str, str], Array]:
        """(n_elements,) the E of the energy density q . E q / 2 by the names of two fields, both
        ways round; what is not there is 0."""

    def has_energies_of(self, other: Operator) -> bool:
        """Whether the energy of any fields is the same with another operator on these elements."""
        mine, theirs = self.energy_matrix, other.energy_matrix
        return (
            self.fields is other.fields
            and self.media is other.media
            and all(np.array_equal(weight, theirs[of]) for of, weight in mine.items())
        )

    @abstractmethod
    def on(self, part: Discretization, origin: Indices, at_cuts: float) -> Operator:
        """The operator on elements of its own in another order, or on some alone, where phases are
        left out.

        Parameters
        ----------
        origin : (n_part,) which of its elements each of ``part`` is.
        at_cuts : reflection where the rest was cut off.
        """

    def part(self, elements: Indices) -> Operator:
        """The operator on some elements or all, in another order, the curved ones last; where
        others were neighbours nothing goes through."""
        return self.on(self.discretization.part(elements), elements, at_cuts=-1.0)

    @abstractmethod
    def constant_rates(self, fields: Fields) -> Fields:
        """dq/dt with the constants of every element, in strong form (HW 6.2 and 6.6)."""

    @abstractmethod
    def corrected(self, rates: Fields, fields: Fields, time: float) -> Fields:
        """Those rates where media are not constant, in place."""

    @abstractmethod
    def energy_density(
        self, fields: Fields, time: float = 0.0, weights: Array | None = None
    ) -> Array:
        """q . E q / 2 at the nodes, or at points of every element by the ``weights``
        (n_points, nodes_per_element) of their interpolation."""

    @abstractmethod
    def element_energy(self, fields: Fields, time: float = 0.0) -> Array:
        """(n_elements,) exact integral of the energy density over each element."""

    @property
    @abstractmethod
    def slownesses(self) -> Array:
        """(n_waves, n_elements) 1 / speed of each of the waves of an element, 0 where it has not
        that wave."""

    def densities(self, fields: Array) -> Array:
        """E q of fields (n_fields, n_elements, nodes_per_element), which is as large."""
        names, found = self.fields.names, np.zeros_like(fields)
        for (of, name), weight in self.energy_matrix.items():
            found[names.index(of)] += weight[:, None] * fields[names.index(name)]
        return found

    def of_ping(self, nodes: Indices, values: Array, radius: float) -> tuple[Indices, Array]:
        """Flat nodes (n,), and what a ping adds there to each field of ``pinged``, (n_pinged, n).

        Parameters
        ----------
        nodes, values : of a bump of this radius.
        """
        return nodes, values[None]

    def flux_densities(self) -> FluxDensities:
        """What a stepper advances where media are not constant."""
        return FluxDensities(NO_MEDIA, np.zeros(0), np.zeros(0))

    def right_hand_side(self, fields: Fields, time: float = 0.0) -> Fields:
        """dq/dt without sources; ``time`` is for media that change."""
        rates = self.constant_rates(fields)
        return self.corrected(rates, fields, time) if self.media else rates
