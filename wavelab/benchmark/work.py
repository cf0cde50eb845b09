"""The work that one Runge-Kutta stage cannot avoid, whatever the variant of its kernels.

Counted once and for every variant alike, so that a variant cannot look better by doing more.  The
count is that of the cheapest formulation that a variant here uses, for upwind flux and a lossless
medium that is constant on each straight-sided element; walls are too few to count.  Everything
that is constant on an element (metric, normals, impedances, material and the time step) is taken
as multiplied into its coefficients beforehand.  An addition or multiplication is one flop, a fused
pair two.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from wavelab.numerics.elements.nodes import nodes_per_triangle
from wavelab.numerics.time.runge_kutta import LowStorageScheme

_N_FIELDS = 3
_N_FACES = 3
_REAL_BYTES = {"single": 4, "double": 8}
_INT_BYTES = 4


@dataclass(frozen=True)
class StageWork:
    """Flops and bytes of memory traffic per element and stage, averaged over the stages."""

    flops: float
    bytes: float


def stage_work(order: int, precision: str, scheme: LowStorageScheme) -> StageWork:
    """Unavoidable work of a stage on one element of an order.

    Parameters
    ----------
    scheme : what some of its stages need not do counts for all.
    """
    restarts = Fraction(scheme.restarts, scheme.n_stages)
    return StageWork(
        float(stage_flops(order, restarts)),
        float(stage_bytes(nodes_per_triangle(order), _REAL_BYTES[precision], restarts)),
    )


def stage_flops(order: int, restarts: Fraction) -> Fraction:
    """Flops per element and stage.

    Volume term.  The curl is combined before it is differentiated, so that four products with
    D_r and D_s do in place of six.

    Products.  The reference triangle is its own mirror image, so that products with D_r, D_s and
    LIFT fall into halves (:mod:`wavelab.opencl.elements.symmetry`).

    Surface term.  The upwind flux has rank one: one scalar per face node, w = E- + Z+ H- - s with
    s the outgoing wave of the neighbour, is lifted and spread over the fields by factors that
    belong to the face.

    Update.  res = a res + dt rate, q = q + b res; the part ``restarts`` of the stages, the first
    among them, has a = 0.
    """
    nodes, face_nodes = nodes_per_triangle(order), order + 1
    derivative, face_lift = product_flops(order)
    curl = 2 * 3 * nodes  # rx Hy - ry Hx and sx Hy - sy Hx
    products = 4 * derivative + nodes  # D_r Ez, D_s Ez, D_r and D_s of the curl, summed
    gradient = 2 * 3 * nodes  # ry D_r Ez + sy D_s Ez for Hx, rx D_r Ez + sx D_s Ez for Hy

    tangential = 3  # H = nx Hy - ny Hx, for the own flux and for the neighbour's
    outgoing = 2  # s = E - Z H
    flux = 4  # scale (E + Z+ H - s)
    faces = _N_FACES * face_nodes * (tangential + outgoing + flux)
    lift = _N_FACES * face_lift
    spread = _N_FACES * nodes * (2 + 2 + 1)  # to Hx and Hy by a factor, to Ez as it is
    material = nodes  # 1 / eps on the rate of Ez; the other factors hide in coefficients

    update = _N_FIELDS * nodes * (4 - 2 * restarts)
    return curl + products + gradient + faces + lift + spread + material + update


def product_flops(order: int) -> tuple[int, int]:
    """Of a product with D_r or D_s, and of one with the part of LIFT that is of one face."""
    nodes = nodes_per_triangle(order)
    # Nodes that are their own image lie between a vertex and the middle of the opposite face.
    singles = order // 2 + 1
    halves = _EvenOdd((nodes - singles) // 2, singles)
    return (
        _even_odd_product(halves, halves, keeps=False),
        _even_odd_product(halves, _EvenOdd(*divmod(order + 1, 2)), keeps=True),
    )


class _EvenOdd(NamedTuple):
    """Numbers in ``pairs`` that change places, and those that are their own mirror image."""

    pairs: int
    singles: int


def _product(n_rows: int, n_columns: int) -> int:
    return n_rows * (2 * n_columns - 1)


def _even_odd_product(rows: _EvenOdd, columns: _EvenOdd, *, keeps: bool) -> int:
    """Sum and difference of each pair, a product with each half, and pairs from the halves.

    What is its own image is even.  ``keeps`` says whether even parts come from even parts, as in
    LIFT, or from odd parts, as in D_r and D_s.
    """
    from_even = rows.pairs + (rows.singles if keeps else 0)
    from_odd = rows.pairs + (0 if keeps else rows.singles)
    halves = _product(from_even, columns.pairs + columns.singles)
    halves += _product(from_odd, columns.pairs)
    return 2 * columns.pairs + halves + 2 * rows.pairs


def stage_bytes(
    nodes: int, real_bytes: int, restarts: Fraction, n_fields: int = _N_FIELDS
) -> Fraction:
    """Bytes per element and stage that must pass between memory and device.

    Every value is read and written once: fields and residual, four numbers of the metric, and one
    integer per face that says where the neighbour is.  The part ``restarts`` of the stages, the
    first among them, need not read the residual, and those before them, or the last of the step
    before, need not write it.  What neighbours read of each other is taken to come out of a cache.
    """
    read_and_write = 2
    fields = read_and_write * n_fields * nodes
    residual = read_and_write * n_fields * nodes * (1 - restarts)
    metric = 4
    return (fields + residual + metric) * real_bytes + _N_FACES * _INT_BYTES
