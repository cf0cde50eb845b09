"""What a monitor gets back, with the formulas of physics that its result may need."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Complex
from wavelab.physics.monitors.far_field import (
    all_directions,
    elastic_mean_power,
    far_field,
    mean_power_through,
    split_power,
    tangential,
)
from wavelab.physics.monitors.monitors import DiscreteMonitor
from wavelab.physics.monitors.running_transform import Sums
from wavelab.physics.operator.mode_volume import mode_volume
from wavelab.scene.model.measuring.findings import Findings

_NOTHING = np.zeros(0)


def findings(
    discrete: DiscreteMonitor,
    sums: Sums | None,
    x: Array,
    y: Array,
    times: Array = _NOTHING,
    series: Array = _NOTHING,
    integral: float = 0.0,
) -> Findings:
    """What has come together for a monitor.

    Parameters
    ----------
    sums : of its transform; None if it has none.
    x, y : (n_elements, nodes_per_element) of the nodes of the mesh.
    """
    given: Any = discrete  # what is None of it was not asked for
    # Both copies of an element with complex fields have one number outside.
    elements: Any = None if given.elements is None else given.elements // discrete.copies

    shown = discrete.system.shown

    known = dict.fromkeys(("hx", "hy", *(f.key for f in discrete.system.others), "ez"))
    fields = tuple(n for n in known if n in shown and shown[n].of in discrete.summed)

    def of_solver(name: str) -> Complex:
        assert sums is not None
        return _of_field(discrete, name, sums.amplitude)

    def amplitude(name: str) -> Complex:
        return shown[name].sign * of_solver(shown[name].of)

    def mean(name: str) -> Array:
        assert sums is not None
        return _of_field(discrete, shown[name].of, sums.mean)[0]

    def mean_power() -> Array:
        if discrete.system.equations == "elastic":
            return elastic_mean_power(given.line, *map(of_solver, discrete.summed))
        return mean_power_through(given.line, *map(of_solver, ("ez", "hx", "hy")))

    def split() -> tuple[Array, Array]:
        assert discrete.splits is not None
        ez, hx, hy = map(of_solver, ("ez", "hx", "hy"))
        return split_power(given.line, ez, hx, hy, discrete.splits)

    def far_fields(angles: Array) -> Complex:
        return np.array([of(angles) for of in far_fields_of()])

    def far_fields_of() -> list[Callable[[Array], Complex]]:
        ez, hx, hy = map(of_solver, ("ez", "hx", "hy"))
        h = tangential(given.line, hx, hy)
        of = partial(
            far_field, speed=discrete.speed, impedance=discrete.impedance, screen=discrete.screen
        )
        frequencies = discrete.transforms[0].frequencies
        return [partial(of, given.line, ez[i], h[i], f) for i, f in enumerate(frequencies)]

    def radiated_power() -> Array:
        powers = []
        for f, of in zip(discrete.transforms[0].frequencies, far_fields_of(), strict=True):
            wave_number = 2 * np.pi * f / discrete.speed
            angles, weights = all_directions(given.line, wave_number, discrete.screen)
            powers.append(np.abs(of(angles)) ** 2 @ weights / (2 * discrete.impedance))
        return np.array(powers)

    def mode_amplitudes() -> tuple[Complex, Complex]:
        ez, hx, hy = map(of_solver, ("ez", "hx", "hy"))
        return given.modes.amplitudes(given.line, ez, tangential(given.line, hx, hy))

    def mode_volumes() -> Array:
        assert discrete.operator is not None
        volume = partial(mode_volume, discrete.operator, elements=discrete.elements)
        seen = discrete.operator.pinged
        amplitudes = np.stack([of_solver(name) for name in seen], axis=1)
        return np.array([volume(of_frequency) for of_frequency in amplitudes])

    return Findings(
        times, series, integral, given.along, given.positions, elements,
        lambda: (x[given.elements], y[given.elements]), fields, amplitude, mean, mean_power,
        None if discrete.splits is None else split, far_fields, radiated_power, mode_volumes,
        _NOTHING if given.modes is None else given.modes.index, mode_amplitudes,
    )  # fmt: skip


def _of_field(discrete: DiscreteMonitor, name: str, values: NDArray) -> NDArray:
    """One field of what a transform sums: (f, c, k, nodes), or (f, c * p) at points."""
    number = discrete.summed.index(name)
    if discrete.elements is None:
        return np.split(values, len(discrete.summed), axis=1)[number]
    return values[:, number]
