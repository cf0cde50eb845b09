"""The time step: from the spectrum of the operator on the elements that limit it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from wavelab.arrays import Array, Indices, Mask
from wavelab.errors import SceneError
from wavelab.numerics.fields.discretization import Discretization, discretize
from wavelab.numerics.spectra.arnoldi import ritz_values
from wavelab.numerics.time.runge_kutta import LowStorageScheme, scheme_for
from wavelab.numerics.time.stability import largest_stable_step
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.operator.media import NO_MEDIA
from wavelab.physics.operator.operator import Operator
from wavelab.physics.time.crowding import POWER_STEPS, crowding
from wavelab.physics.time.rates import natural_units, rates_of_change
from wavelab.remembered import Remembered

#: The fastest modes of single bad elements live on those and decay quickly away from them, so the
#: spectrum of this many elements, with two rings of neighbours, has them all.
WORST_ELEMENTS, WORST_RINGS = 96, 2
#: On a mesh without bad elements the fastest mode is spread out (:mod:`.crowding`).
_SPREAD_ELEMENTS, SPREAD_RINGS = 32, 4
#: A patch cut out of a large mesh still misses the outermost part of such a mode: by up to 6.4 % on
#: meshes of 900 to 48,000 elements of orders 1 to 6, against the spectrum of the whole.
_SPREAD_MARGIN = 0.94
#: The power method is dear on a large mesh, so there it only looks at about this many elements,
#: where elements with short crossing times lie close together.
CANDIDATES, CANDIDATE_RINGS = 4096, 2
#: Of a mesh of random solids the limit is found to 0.2 % in so many steps, to 8 % in 48 of them.
_KRYLOV_DIMENSION = 64
#: What is looked at where it has to be quick.
_QUICK_ELEMENTS, _QUICK_RINGS, _QUICK_DIMENSION = 12, 2, 16
#: Patches that are remembered, of at most so many elements: while a number is turned, the same.
_PATCHES, _LARGE_PATCH = 8, 1024
#: Of conductors, and of each set of auxiliary equations, the fastest elements are looked at too.
STIFF_ELEMENTS = 24


def element_rates(operator: Operator) -> Array:
    """(n_elements,) speed over inradius: how fast a wave crosses each element."""
    return operator.fastest / operator.discretization.mesh.inradii()


def suited_scheme(operator: Operator, name: str = "auto") -> LowStorageScheme:
    """A Runge-Kutta scheme by its name; "auto" is the one that every stepper of this operator
    takes unless told otherwise.

    Raises
    ------
    KeyError : there is no such scheme.
    """
    order, media = operator.discretization.order, operator.media
    other = media.changes or bool(media.kerr)
    return scheme_for(order, operator.upwinding, name, changing=other)


def stable_step(
    operator: Operator,
    *,
    scheme: LowStorageScheme | None = None,
    without: Indices | None = None,
    auxiliary_equations: Sequence[AuxiliaryEquations] = (),
    spread: Indices | None = None,
) -> float:
    """Largest stable time step of a Runge-Kutta scheme on this mesh, before any safety factor.

    Of media that change it is the step for their extremes, see
    :meth:`wavelab.physics.operator.media.Media.extremes`.

    Parameters
    ----------
    scheme : None for the one that suits the operator.
    auxiliary_equations : whose terms may be faster than those of the fields.
    without : elements to leave out, as if the mesh ended in absorbing edges there; None for none.
    spread : where fast modes that spread over many elements have their middle, where the operator
        is that of an excerpt of a mesh; None finds them.

    Raises
    ------
    ValueError : nothing is left.
    """
    scheme = scheme or suited_scheme(operator)
    kept = np.ones(operator.discretization.n_elements, dtype=bool)
    if without is not None:
        kept[without] = False
    if not kept.any():
        raise ValueError("a mesh without elements has no time step")
    rates = np.where(kept, element_rates(operator), -np.inf)
    moments = _extremes(operator)
    return min(_step_at(moment, rates, scheme, auxiliary_equations, spread) for moment in moments)


def _extremes(operator: Operator) -> list[Operator]:
    if not operator.media:
        return [operator]
    return [replace(operator, media=media) for media in operator.media.extremes()]


def _step_at(
    operator: Operator,
    rates: Array,
    scheme: LowStorageScheme,
    auxiliary_equations: Sequence[AuxiliaryEquations],
    spread: Indices | None,
) -> float:
    """The step for media that do not change.

    Parameters
    ----------
    rates : of the elements at their fastest, -infinity for those that are left out.
    """
    kept = np.isfinite(rates)
    worst = _grown(operator, largest(rates, WORST_ELEMENTS), WORST_RINGS, kept)
    step = _step_on(operator, worst, scheme, auxiliary_equations)
    decay = np.where(kept & (operator.decay > 0), operator.decay, -np.inf)
    if len(conducting := largest(decay, STIFF_ELEMENTS)):
        patch = _grown(operator, conducting, WORST_RINGS, kept)
        step = min(step, _step_on(operator, patch, scheme, auxiliary_equations))
    units = operator.natural_units()
    for equations in auxiliary_equations:
        stiff = kept[equations.elements] * equations.stiffness(units)
        chosen = equations.elements[largest(np.where(stiff > 0, stiff, -np.inf), STIFF_ELEMENTS)]
        if len(chosen):
            patch = _grown(operator, chosen, WORST_RINGS, kept)
            step = min(step, _step_on(operator, patch, scheme, auxiliary_equations))
    if len(worst) == len(rates):
        return step
    if spread is None:
        spread = _where_spread(operator, rates)
    patch = _grown(operator, spread, SPREAD_RINGS, kept)
    margin = 1.0 if len(patch) == len(rates) else _SPREAD_MARGIN
    return min(step, margin * _step_on(operator, patch, scheme, auxiliary_equations))


def quick_step(operator: Operator, scheme: LowStorageScheme) -> float:
    """A time step that is right but for a factor, which is nearly the same for operators that
    differ in materials, walls or upwinding (scripts/reckoned_steps.py), where auxiliary equations
    do not limit it."""
    everywhere = np.ones(operator.discretization.n_elements, dtype=bool)
    worst = largest(element_rates(operator), _QUICK_ELEMENTS)
    patch = _grown(operator, worst, _QUICK_RINGS, everywhere)
    return min(
        _step_on(moment, patch, scheme, (), _QUICK_DIMENSION) for moment in _extremes(operator)
    )


def _step_on(
    operator: Operator,
    elements: Indices,
    scheme: LowStorageScheme,
    auxiliary_equations: Sequence[AuxiliaryEquations],
    dimension: int = _KRYLOV_DIMENSION,
) -> float:
    part, origin = _restrict(operator, elements)
    local = [e for e in (e.on_part(origin) for e in auxiliary_equations) if e is not None]
    units = natural_units(part, local)
    # What is found of the spectrum depends on the units that fields and memory are in, which it
    # does not.
    spectrum = ritz_values(
        lambda v: rates_of_change(part, units * v, local) / units, len(units), dimension
    )
    try:
        return largest_stable_step(spectrum, scheme)
    except ValueError:
        raise SceneError(
            "no time step can be found, because some numbers of the media are too large",
            remedy="Bring frequencies and damping of poles, and sigma, nearer to those of the "
            "waves.",
        ) from None


def _where_spread(operator: Operator, rates: Array) -> Indices:
    """Where fast modes that spread over many elements have their middle.

    Parameters
    ----------
    rates : those of the elements, -infinity for those that are left out.
    """
    kept = np.isfinite(rates)
    candidates = np.flatnonzero(kept)
    if len(candidates) > 2 * CANDIDATES:
        crowded = np.where(
            kept, crowding(rates, operator.discretization.connectivity.neighbor_element), -np.inf
        )
        return fast_around(operator, largest(crowded, CANDIDATES), kept)
    return _fast_among(operator, candidates)


def fast_around(operator: Operator, crowded: Indices, kept: Mask | None = None) -> Indices:
    """Where fast modes that spread have their middle, from the elements where those with short
    crossing times lie close together.

    Parameters
    ----------
    kept : those to look at; None for all.
    """
    if kept is None:
        kept = np.ones(operator.discretization.n_elements, dtype=bool)
    return _fast_among(operator, _grown(operator, crowded, CANDIDATE_RINGS, kept))


def _fast_among(operator: Operator, candidates: Indices) -> Indices:
    part, origin = _restrict(operator, candidates)
    return origin[largest(_where_fast(part), _SPREAD_ELEMENTS)]


def _where_fast(operator: Operator) -> Array:
    """(n_elements,) amplitude that the power method leaves on each element."""
    shape = operator.discretization.shape
    # A fixed seed: the same mesh always gets the same time step.
    fields = operator.fields
    vector = np.random.default_rng(0).standard_normal(len(fields.names) * math.prod(shape))
    units = natural_units(operator)
    for _ in range(POWER_STEPS):
        vector = rates_of_change(operator, units * vector) / units
        vector /= np.linalg.norm(vector)
    left = fields.of((units * vector).reshape(len(fields.names), *shape))
    constant = replace(operator, media=NO_MEDIA) if operator.media else operator
    return constant.energy_density(left).sum(axis=1)


def largest(values: Array, count: int) -> Indices:
    """The largest of (n,) values first; those that are not finite are none."""
    candidates = np.arange(len(values))
    if count < len(values):
        # Only those that may be among them are worth sorting.
        candidates = np.flatnonzero(values >= np.partition(values, -count)[-count])
    chosen = candidates[np.argsort(-values[candidates], kind="stable")[:count]]
    return chosen[np.isfinite(values[chosen])]


def _grown(operator: Operator, elements: Indices, rings: int, kept: Mask) -> Indices:
    """``elements`` with that many rings of those neighbours that are ``kept``, sorted."""
    neighbors = operator.discretization.connectivity.neighbor_element
    chosen = elements
    for _ in range(rings):
        chosen = np.union1d(chosen, neighbors[chosen].ravel())
        chosen = chosen[kept[chosen]]
    return np.sort(chosen)


def _restrict(operator: Operator, chosen: Indices) -> tuple[Operator, Indices]:
    """The operator on some elements alone, and which they are in its own order.

    Where they were cut off the edge absorbs.  That takes the upwind flux, so where the others
    have another one it conducts instead: else the edge could have the fastest mode of all.
    """
    whole = operator.discretization
    if len(chosen) == whole.n_elements:
        return operator, np.arange(whole.n_elements)
    copies = whole.copies
    if whole.single is not None:  # both copies do alike, but for phases at some edges
        whole, chosen = whole.single, np.unique(chosen // copies)
    if len(chosen) > _LARGE_PATCH:
        d, origin = _cut(whole, chosen)
    else:
        d, origin = _patches.get(whole, chosen.tobytes(), lambda: _cut(whole, chosen))
    origin = copies * origin
    return operator.on(d, origin, at_cuts=0.0 if operator.upwinding == 1 else -1.0), origin


_patches: Remembered[Discretization, tuple[Discretization, Indices]] = Remembered(_PATCHES)


def _cut(whole: Discretization, chosen: Indices) -> tuple[Discretization, Indices]:
    """Some elements alone, and which they are of the whole."""
    # Elements may be reordered by discretize, so what belongs to them travels as a region number.
    cut = replace(whole.mesh.permuted(chosen), regions=np.arange(len(chosen), dtype=np.int32))
    d = discretize(cut, whole.order)
    return d, chosen[d.mesh.regions]
