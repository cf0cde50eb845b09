"""Auxiliary equations: what acts on single nodes, with variables of its own (ADE).

Absorbing layers and dispersive media add to the equations of the fields q terms that couple nothing
but the fields at one point and a few numbers that remember their past there:

    dq/dt = operator + extra(q, m),   dm/dt = rate(q, m)

with linear ``extra`` and ``rate``.  They are written once, as formulas.  NumPy evaluates those, and
they are printed into an OpenCL kernel that runs over the listed elements alone, so that the rest of
the mesh pays nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from wavelab.arrays import Array, Complex, Indices
from wavelab.physics.operator.fields import Fields, MaxwellFields
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.formulas.formula_functions import value

#: The coefficient by which a magnetic conductivity damps H.
FADING = "fading"
#: How far beside a resonance it is told what is infinite there, in parts of its frequency.
_BESIDE = 1e-9
#: Times that units are looked at: each follows from those beside it.
_BALANCINGS = 4
#: Powers of 2 that make nothing of what acts one way.
_APART = 20


@dataclass(frozen=True, eq=False)
class AuxiliaryEquations:
    """Linear equations at every node of some elements.

    Attributes
    ----------
    elements : (n,) where they hold, distinct.
    coefficients : by name, (n, nodes_per_element) each, constant in time.
    variables : names of the auxiliary variables kept at each node; they start at 0.
    rates : what is added to the rate of change of a field, and the rate of change of each variable:
        formulas of the fields, the auxiliary variables and the coefficients, linear in all but the
        last.
    energy : by name of a variable, (n, nodes_per_element) weights w of the energy density w m^2 / 2
        that the medium stores there; one that is not named stores none.
    kind : what the energy that is lost here is booked as: gone out through an "open" edge, or
        turned into heat in a "medium"; "follows" of variables that only follow the fields.
    of : the system of the fields.
    """

    elements: Indices
    coefficients: Mapping[str, Array]
    variables: tuple[str, ...]
    rates: Mapping[str, Formula]
    energy: Mapping[str, Array] = field(default_factory=dict)
    kind: Literal["open", "medium", "follows"] = "medium"
    of: type[Fields] = MaxwellFields

    @classmethod
    def written(
        cls,
        elements: Indices,
        coefficients: Mapping[str, Array],
        rates: Mapping[str, str],
        energy: Mapping[str, Array] | None = None,
        kind: Literal["open", "medium", "follows"] = "medium",
        of: type[Fields] = MaxwellFields,
    ) -> AuxiliaryEquations:
        """From the texts of the rates; those that are not of fields are of the auxiliary variables.

        Raises
        ------
        FormulaError : a text is not a formula of the names there are.
        """
        auxiliary = tuple(name for name in rates if name not in of.names)
        names = (*of.names, *auxiliary, *coefficients)
        formulas = {name: Formula.parse(text, names) for name, text in rates.items()}
        return cls(elements, coefficients, auxiliary, formulas, energy or {}, kind, of)

    @property
    def driven(self) -> tuple[str, ...]:
        """The fields that something is added to."""
        return tuple(name for name in self.of.names if name in self.rates)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Of the auxiliary variables: (n_auxiliary, n, nodes_per_element)."""
        n_nodes = next(iter(self.coefficients.values())).shape[1]
        return len(self.variables), len(self.elements), n_nodes

    def alike(self, other: AuxiliaryEquations) -> bool:
        """Whether others are the same on the same elements, but for the coefficients."""
        return (
            (self.of, self.kind, self.variables) == (other.of, other.kind, other.variables)
            and list(self.coefficients) == list(other.coefficients)
            and self.rates == other.rates
            and np.array_equal(self.elements, other.elements)
        )

    def rates_of_change(self, fields: Fields, auxiliary: Array) -> dict[str, Array]:
        """(n, nodes_per_element) for each name in ``rates``.

        Parameters
        ----------
        fields : on the whole mesh.
        auxiliary : as ``shape`` says.
        """
        arrays = {name: getattr(fields, name)[self.elements] for name in self.of.names}
        arrays |= dict(zip(self.variables, auxiliary, strict=True))
        arrays |= dict(self.coefficients)
        shape = self.shape[1:]
        # Not Formula.evaluate: a field that blows up is a matter for who watches the run.
        with np.errstate(all="ignore"):
            return {
                name: np.broadcast_to(value(formula.expression, arrays), shape)
                for name, formula in self.rates.items()
            }

    def stiffness(self, of_fields: Array) -> Array:
        """(n,) how fast the equations are on each element: the largest sum of the sizes of what
        one node adds to one rate, when all fields and variables are 1 in their natural units.

        Parameters
        ----------
        of_fields : as for :meth:`natural_units`.
        """
        return self._row_sums(of_fields).max(axis=1)

    def _row_sums(self, of_fields: Array) -> Array:
        """(n, nodes_per_element) the largest sum at each node."""
        units = np.concatenate([of_fields[:, self.elements], self.natural_units(of_fields)]).T
        sums = np.abs(self.matrices()) @ units[:, None, :, None]
        return (sums[..., 0] / units[:, None]).max(-1)

    def eigenvalue_bounds(self, of_fields: Array) -> Array:
        """(n,) size of the largest eigenvalue of the equations of a node by themselves, at the
        stiffest node of each element.  It does not depend on the units of the fields and
        variables.

        Parameters
        ----------
        of_fields : as for :meth:`natural_units`.
        """
        sums = self._row_sums(of_fields)
        stiffest = (np.arange(len(sums)), sums.argmax(axis=1))
        there = {name: values[stiffest] for name, values in self.coefficients.items()}
        eigenvalues = np.linalg.eigvals(self._matrices(there, (len(sums),)))
        return np.asarray(np.abs(eigenvalues).max(axis=1), np.float64)

    def natural_units(self, of_fields: Array) -> Array:
        """(n_auxiliary, n) powers of 2 in which the variables are bound to the fields, and to each
        other, about as strongly as those to them (Osborne, *On pre-conditioning of matrices*,
        1960).

        The variables have powers of time in their units; with those of a scene some may be so far
        from the fields in size that nothing is left of either beside the other.

        Parameters
        ----------
        of_fields : (n_fields, n_elements of the mesh) those of the fields,
            :meth:`wavelab.physics.operator.operator.Operator.natural_units`.
        """
        first = len(of_fields)
        bonds = np.abs(self.matrices()).max(axis=1, initial=0.0)
        units = np.ones(bonds.shape[:2])
        units[:, :first] = of_fields[:, self.elements].T
        bonds *= units[:, None] / units[:, :, None]
        bonds[:, np.arange(bonds.shape[1]), np.arange(bonds.shape[1])] = 0.0
        found = np.zeros(bonds.shape[:2], np.int64)
        for _ in range(_BALANCINGS):
            for i in range(first, bonds.shape[1]):
                into, out_of = bonds[:, i].sum(axis=1), bonds[:, :, i].sum(axis=1)
                both = (into > 0) & (out_of > 0)
                # What acts one way only, as a displacement, has no part in the spectrum.
                more = _APART * ((into > 0).astype(np.int64) - (out_of > 0))
                more[both] = np.round(np.log2(into[both] / out_of[both]) / 2).astype(np.int64)
                found[:, i] += more
                bonds[:, i] = np.ldexp(bonds[:, i], -more[:, None])
                bonds[:, :, i] = np.ldexp(bonds[:, :, i], more[:, None])
        return np.exp2(found[:, first:].T)

    def matrices(self) -> Array:
        """(n, nodes_per_element, n_names, n_names): what the fields and the
        auxiliary variables add to the rates of each, at every node."""
        return self._matrices(dict(self.coefficients), self.shape[1:])

    def _matrices(self, coefficients: dict[str, Array], shape: tuple[int, ...]) -> Array:
        """(*shape, n_names, n_names): what fields and auxiliary variables add to the rates of each,
        at nodes with the given coefficients."""
        names = (*self.of.names, *self.variables)
        found = np.zeros((*shape, len(names), len(names)))
        for column, name in enumerate(names):
            alone = {other: np.full(shape, float(other == name)) for other in names}
            for of, formula in self.rates.items():
                found[..., names.index(of), column] = value(
                    formula.expression, alone | coefficients
                )
        return found

    def added_to_fields(self, frequency: float) -> Complex:
        """(n, n_fields, n_fields) X: for fields q that go with exp(i w t) the equations add X q to
        their rates; at the first node of each element, and without conductivities.

        With dm/dt = A m + B q and C m + D q added, it is D + C (i w - A)^-1 B.  At the resonance of
        a pole without losses, where that is infinite, it is that just above.
        """
        first = {name: values[:, 0] for name, values in self.coefficients.items()}
        if FADING in first:
            first[FADING] = np.zeros(len(self.elements))
        matrix, k = self._matrices(first, (len(self.elements),)), len(self.of.names)
        resolvent = 2j * np.pi * frequency * np.eye(len(self.variables)) - matrix[:, k:, k:]
        try:
            remembered = np.linalg.solve(resolvent, matrix[:, k:, :k])
        except np.linalg.LinAlgError:
            return self.added_to_fields(frequency * (1 + _BESIDE))
        return np.asarray(matrix[:, :k, :k] + matrix[:, :k, k:] @ remembered, np.complex128)

    def rows_of(self, elements: Indices) -> Indices:
        """Where some of its elements are in its arrays."""
        order = np.argsort(self.elements, kind="stable")
        return order[np.searchsorted(self.elements, elements, sorter=order)]

    def on_part(self, origin: Indices) -> AuxiliaryEquations | None:
        """The same on a part of the mesh; None if they do not reach it.

        Parameters
        ----------
        origin : (n_part,) which element of the mesh each of the part is.
        """
        elements = np.flatnonzero(np.isin(origin, self.elements))
        return self._on_rows(self.rows_of(origin[elements]), elements)

    def without(self, elements: Indices) -> AuxiliaryEquations | None:
        """The same on the other elements alone; None if there are none."""
        rows = np.flatnonzero(~np.isin(self.elements, elements))
        return self._on_rows(rows, self.elements[rows])

    def _on_rows(self, rows: Indices, elements: Indices) -> AuxiliaryEquations | None:
        """Some rows of the arrays, which become these elements."""
        if not len(rows):
            return None
        return AuxiliaryEquations(
            elements,
            {name: values[rows] for name, values in self.coefficients.items()},
            self.variables,
            self.rates,
            {name: weights[rows] for name, weights in self.energy.items()},
            self.kind,
            self.of,
        )


def auxiliary_at_rest(equations: Sequence[AuxiliaryEquations]) -> tuple[Array, ...]:
    """The variables of each at the start: zeros."""
    return tuple(np.zeros(e.shape) for e in equations)


def fitting_auxiliary(
    equations: Sequence[AuxiliaryEquations], auxiliary: Sequence[Array]
) -> tuple[Array, ...]:
    """``auxiliary``, or zeros where there is none.

    Raises
    ------
    ValueError : it belongs to other equations.
    """
    if not auxiliary:
        return auxiliary_at_rest(equations)
    if [m.shape for m in auxiliary] != [e.shape for e in equations]:
        raise ValueError("the auxiliary variables are not those of these equations")
    return tuple(auxiliary)


def add_auxiliary_rates(
    equations: Sequence[AuxiliaryEquations], fields: Fields, rates: Fields
) -> tuple[Array, ...]:
    """Adds what auxiliary equations say to the rates of change of the fields, in place.

    Parameters
    ----------
    fields : with the variables of these equations.

    Returns
    -------
    The rates of change of the auxiliary variables, as ``Fields.auxiliary`` is.
    """
    found = []
    for e, auxiliary in zip(equations, fields.auxiliary, strict=True):
        change = e.rates_of_change(fields, auxiliary)
        for name in e.driven:
            getattr(rates, name)[e.elements] += change[name]
        found.append(np.array([change[name] for name in e.variables]).reshape(e.shape))
    return tuple(found)
