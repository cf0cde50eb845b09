"""What kernels and buffers are made of, by the equations of an operator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array
from wavelab.opencl.elements import elastic, maxwell_tm
from wavelab.opencl.elements.curved import DenseMatrices
from wavelab.opencl.elements.layout import Load
from wavelab.physics.operator.elastic import ElasticPSV
from wavelab.physics.operator.fields import ElasticFields, Fields, MaxwellFields
from wavelab.physics.operator.operator import Operator

#: Of the coefficients, the metric terms, and the face scales, which kernels that find the rest in a
#: table compute from these.
N_METRIC, N_SCALES = 4, 3


@dataclass(frozen=True)
class DeviceEquations:
    """Attributes
    ----------
    template : of kernels/element/, with what a stage says of them.
    driving : templates of kernels that add to the fields.
    fields : in the order in which they lie on the device.
    coefficients : names of the numbers of an element.
    coefficients_of : (n_elements, n_coefficients) those of an operator.
    curved : what they need of elements with arcs.
    waves : that travel across a face: numbers per face node, of the upwind flux; twice as many of
        another.
    load : what a stage has to do.
    """

    template: str
    driving: tuple[str, ...]
    fields: type[Fields]
    coefficients: tuple[str, ...]
    coefficients_of: Callable[[Any], Array]
    curved: DenseMatrices
    waves: int
    load: Load

    @property
    def n_fields(self) -> int:
        return self.load.n_fields

    @property
    def metric(self) -> tuple[str, ...]:
        return self.coefficients[:N_METRIC]

    @property
    def material(self) -> tuple[str, ...]:
        """What the table has."""
        return self.coefficients[N_METRIC + N_SCALES :]

    def n_fluxes(self, upwinding: float) -> int:
        """Numbers that are exchanged and lifted per face node."""
        return self.waves if upwinding == 1 else 2 * self.waves


MAXWELL = DeviceEquations(
    "maxwell_tm", ("add", "sources"), MaxwellFields,
    maxwell_tm.COEFFICIENTS, maxwell_tm.coefficients, maxwell_tm.CURVED, waves=1, load=Load(),
)  # fmt: skip
ELASTIC = DeviceEquations(
    "elastic", ("drive_fields",), ElasticFields,
    elastic.COEFFICIENTS, elastic.coefficients, elastic.CURVED, waves=2,
    load=Load(5, 6, 8, tensor=False),
)  # fmt: skip
#: By the name of the template.
BY_TEMPLATE = {equations.template: equations for equations in (MAXWELL, ELASTIC)}


def equations_of(operator: Operator) -> DeviceEquations:
    """Those of an operator."""
    return ELASTIC if isinstance(operator, ElasticPSV) else MAXWELL


def material_table(coefficients: Array) -> tuple[Array, NDArray[np.int32]]:
    """The different rows of the material part, and which of them each element has.

    Parameters
    ----------
    coefficients : (n_elements, n_coefficients).

    Returns
    -------
    table (n_rows, n_materials) and (n_elements,) int32.
    """
    rows = np.ascontiguousarray(coefficients[:, N_METRIC + N_SCALES :])
    # Sorting one number per row is ten times faster than sorting rows.  Rows that differ get the
    # same number with a probability of about 2^-64 a pair; the comparison makes sure.
    odd = np.random.default_rng(0).integers(0, 2**63, rows.shape[1], dtype=np.uint64) * 2 + 1
    mixed = rows.view(np.uint64) * odd
    keys = ((mixed ^ (mixed >> np.uint64(29))) * odd).sum(axis=1, dtype=np.uint64)
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    table = rows[first]
    if not np.array_equal(table[inverse], rows):
        table, inverse = np.unique(rows, axis=0, return_inverse=True)
    return table, inverse.reshape(-1).astype(np.int32)
