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
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations, add_auxiliary_rates
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.flux_densities import corrected
from wavelab.physics.operator.maxwell_tm import MaxwellTM, constant_right_hand_side
from wavelab.remembered import Remembered

#: The fastest modes of single bad elements live on those and decay quickly away from them, so the
#: spectrum of this many elements, with two rings of neighbours, has them all.
_WORST_ELEMENTS, _WORST_RINGS = 96, 2
#: On a mesh without bad elements the fastest mode is spread out over the places where many
#: elements are a little small; a few steps of the power method show where.
_POWER_STEPS = 8
_SPREAD_ELEMENTS, _SPREAD_RINGS = 32, 4
#: A patch cut out of a large mesh still misses the outermost part of such a mode: by up to 6.4 % on
#: meshes of 900 to 48,000 elements of orders 1 to 6, against the spectrum of the whole.
_SPREAD_MARGIN = 0.94
#: The power method is dear on a large mesh, so there it only looks at about this many elements,
#: where elements with short crossing times lie close together.
_CANDIDATES, _CANDIDATE_RINGS = 4096, 2
_KRYLOV_DIMENSION = 48
#: What is looked at where it has to be quick.
_QUICK_ELEMENTS, _QUICK_RINGS, _QUICK_DIMENSION = 24, 2, 24
#: Patches that are remembered, of at most so many elements: while a number is turned, the same.
_PATCHES, _LARGE_PATCH = 8, 1024
#: Of conductors, and of each set of auxiliary equations, the fastest elements are looked at too.
_STIFF_ELEMENTS = 24


def element_rates(operator: MaxwellTM) -> Array:
    """(n_elements,) speed over inradius: how fast a wave crosses each element."""
    return operator.fastest / operator.discretization.mesh.inradii()


def suited_scheme(operator: MaxwellTM, name: str = "auto") -> LowStorageScheme:
    """A Runge-Kutta scheme by its name; "auto" is the one that every stepper of this operator
    takes unless told otherwise.

    Raises
    ------
    KeyError : there is no such scheme.
    """
    order, changing = operator.discretization.order, operator.media.changes
    return scheme_for(order, operator.upwinding, name, changing=changing)


def stable_step(
    operator: MaxwellTM,
    *,
    scheme: LowStorageScheme | None = None,
    without: Indices | None = None,
    auxiliary_equations: Sequence[AuxiliaryEquations] = (),
) -> float:
    """Largest stable time step of a Runge-Kutta scheme on this mesh, before any safety factor.

    Of media that change it is the step for their extremes, see
    :meth:`wavelab.physics.operator.media.Media.extremes`.

    Parameters
    ----------
    scheme : None for the one that suits the operator.
    auxiliary_equations : whose terms may be faster than those of the fields.
    without : elements to leave out, as if the mesh ended in absorbing edges there; None for none.

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
    moments = [replace(operator, media=media) for media in operator.media.extremes()]
    return min(_step_at(moment, rates, scheme, auxiliary_equations) for moment in moments)


def _step_at(
    operator: MaxwellTM,
    rates: Array,
    scheme: LowStorageScheme,
    auxiliary_equations: Sequence[AuxiliaryEquations],
) -> float:
    """The step for media that do not change.

    Parameters
    ----------
    rates : of the elements at their fastest, -infinity for those that are left out.
    """
    kept = np.isfinite(rates)
    worst = _grown(operator, _largest(rates, _WORST_ELEMENTS), _WORST_RINGS, kept)
    step = _step_on(operator, worst, scheme, auxiliary_equations)
    decay = np.where(kept & (operator.sigma > 0), operator.sigma / operator.epsilon, -np.inf)
    if len(conducting := _largest(decay, _STIFF_ELEMENTS)):
        patch = _grown(operator, conducting, _WORST_RINGS, kept)
        step = min(step, _step_on(operator, patch, scheme, auxiliary_equations))
    for equations in auxiliary_equations:
        stiff = kept[equations.elements] * equations.stiffness()
        chosen = equations.elements[_largest(np.where(stiff > 0, stiff, -np.inf), _STIFF_ELEMENTS)]
        if len(chosen):
            patch = _grown(operator, chosen, _WORST_RINGS, kept)
            step = min(step, _step_on(operator, patch, scheme, auxiliary_equations))
    if len(worst) == len(rates):
        return step
    spread = _where_spread(operator, rates)
    patch = _grown(operator, spread, _SPREAD_RINGS, kept)
    margin = 1.0 if len(patch) == len(rates) else _SPREAD_MARGIN
    return min(step, margin * _step_on(operator, patch, scheme, auxiliary_equations))


def quick_step(operator: MaxwellTM, scheme: LowStorageScheme) -> float:
    """A time step that is right but for a factor, which is nearly the same for operators that
    differ in materials, walls or upwinding: 1.0 to 1.25 times the one of :func:`stable_step` on the
    shipped scenes, where auxiliary equations do not limit it."""
    everywhere = np.ones(operator.discretization.n_elements, dtype=bool)
    worst = _largest(element_rates(operator), _QUICK_ELEMENTS)
    patch = _grown(operator, worst, _QUICK_RINGS, everywhere)
    return min(
        _step_on(replace(operator, media=media), patch, scheme, (), _QUICK_DIMENSION)
        for media in operator.media.extremes()
    )


def _step_on(
    operator: MaxwellTM,
    elements: Indices,
    scheme: LowStorageScheme,
    auxiliary_equations: Sequence[AuxiliaryEquations],
    dimension: int = _KRYLOV_DIMENSION,
) -> float:
    part, origin = _restrict(operator, elements)
    local = [e for e in (e.on_part(origin) for e in auxiliary_equations) if e is not None]
    shape = part.discretization.shape
    size = 3 * shape[0] * shape[1] + sum(math.prod(e.shape) for e in local)
    spectrum = ritz_values(lambda v: rates_of_change(part, v, local), size, dimension)
    try:
        return largest_stable_step(spectrum, scheme)
    except ValueError:
        raise SceneError(
            "no time step can be found, because some numbers of the media are too large",
            remedy="Bring frequencies and damping of poles, and sigma, nearer to those of the "
            "waves.",
        ) from None


def rates_of_change(
    operator: MaxwellTM, vector: Array, auxiliary_equations: Sequence[AuxiliaryEquations] = ()
) -> Array:
    """The semi-discrete equations as a matrix that acts on a vector.

    Parameters
    ----------
    vector : hx, hy and ez at all nodes, then the auxiliary variables.
    """
    shape = operator.discretization.shape
    size = 3 * shape[0] * shape[1]
    hx, hy, ez = vector[:size].reshape(3, *shape)
    ends = size + np.cumsum([0, *(math.prod(e.shape) for e in auxiliary_equations)])
    auxiliary = tuple(
        vector[start:end].reshape(e.shape)
        for start, end, e in zip(ends, ends[1:], auxiliary_equations, strict=False)
    )
    fields = Fields(hx, hy, ez, auxiliary)
    change = constant_right_hand_side(operator, fields)
    of_auxiliary = add_auxiliary_rates(auxiliary_equations, fields, change)
    # As in a step: what a medium remembers is a part of dD/dt and dB/dt like any other.
    corrected(operator.media, operator.epsilon, operator.mu, change, fields, 0.0)
    parts = (change.hx, change.hy, change.ez, *of_auxiliary)
    return np.concatenate([part.ravel() for part in parts])


def _where_spread(operator: MaxwellTM, rates: Array) -> Indices:
    """Where fast modes that spread over many elements have their middle.

    Parameters
    ----------
    rates : those of the elements, -infinity for those that are left out.
    """
    kept = np.isfinite(rates)
    candidates = np.flatnonzero(kept)
    if len(candidates) > 2 * _CANDIDATES:
        crowded = np.where(kept, _crowding(operator, rates), -np.inf)
        candidates = _grown(operator, _largest(crowded, _CANDIDATES), _CANDIDATE_RINGS, kept)
    part, origin = _restrict(operator, candidates)
    return origin[_largest(_where_fast(part), _SPREAD_ELEMENTS)]


def _crowding(operator: MaxwellTM, rates: Array) -> Array:
    """(n_elements,) what the power method would leave if each element were a number that grows
    by its own rate and spreads to its neighbours."""
    neighbors = operator.discretization.connectivity.neighbor_element
    growth = (np.maximum(rates, 0) / rates.max()) ** 2
    amount = np.ones(len(rates))
    for _ in range(_POWER_STEPS):
        amount = growth * (amount + amount[neighbors].sum(axis=1))
        amount /= amount.max()
    return amount


def _where_fast(operator: MaxwellTM) -> Array:
    """(n_elements,) amplitude that the power method leaves on each element."""
    shape = operator.discretization.shape
    # A fixed seed: the same mesh always gets the same time step.
    vector = np.random.default_rng(0).standard_normal(3 * shape[0] * shape[1])
    for _ in range(_POWER_STEPS):
        vector = rates_of_change(operator, vector)
        vector /= np.linalg.norm(vector)
    hx, hy, ez = vector.reshape(3, *shape)
    density = operator.epsilon[:, None] * ez**2 + operator.mu[:, None] * (hx**2 + hy**2)
    return density.sum(axis=1)


def _largest(values: Array, count: int) -> Indices:
    candidates = np.arange(len(values))
    if count < len(values):
        # Only those that may be among them are worth sorting.
        candidates = np.flatnonzero(values >= np.partition(values, -count)[-count])
    chosen = candidates[np.argsort(-values[candidates], kind="stable")[:count]]
    return chosen[np.isfinite(values[chosen])]


def _grown(operator: MaxwellTM, elements: Indices, rings: int, kept: Mask) -> Indices:
    """``elements`` with that many rings of those neighbours that are ``kept``, sorted."""
    neighbors = operator.discretization.connectivity.neighbor_element
    chosen = elements
    for _ in range(rings):
        chosen = np.union1d(chosen, neighbors[chosen].ravel())
        chosen = chosen[kept[chosen]]
    return np.sort(chosen)


def _restrict(operator: MaxwellTM, chosen: Indices) -> tuple[MaxwellTM, Indices]:
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
