"""The fields of a system of equations at the nodes of every element."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from wavelab.arrays import Array, Complex, Indices


class Fields(ABC):
    """One array (n_elements, nodes_per_element) of float64 nodal values a field.

    ``auxiliary`` belongs to auxiliary equations, one array each (see
    :mod:`wavelab.physics.materials.auxiliary_equations`); without any it is 0.

    Attributes
    ----------
    names : in the order in which steppers number them.
    turned : those that change sign where time runs backwards.
    asked : of which of them the program asks for by the names of light: "ez" the one that is
        looked at and recorded first, "hx" and "hy" a vector in the plane.
    """

    names: ClassVar[tuple[str, ...]]
    turned: ClassVar[tuple[str, ...]]
    asked: ClassVar[Mapping[str, str]] = {}
    auxiliary: tuple[Array, ...]
    #: So that :func:`dataclasses.replace` takes them: all are dataclasses.
    __dataclass_fields__: ClassVar[dict[str, Any]]

    def __getattr__(self, name: str) -> Array:
        """A field by the name under which the program asks for it."""
        own = type(self).asked.get(name)
        if own is None:
            raise AttributeError(f"there is no field {name}")
        found: Array = getattr(self, own)
        return found

    @classmethod
    def index(cls, name: str) -> int:
        """The number of a field, by its own name or by that which the program asks for.

        Raises
        ------
        ValueError : there is no such field.
        """
        return cls.names.index(cls.asked.get(name, name))

    @classmethod
    def of(cls, arrays: Sequence[Array] | Array, auxiliary: tuple[Array, ...] = ()) -> Self:
        """From the arrays in their order."""
        return cls(*arrays, auxiliary)  # type: ignore[call-arg]

    @classmethod
    def zeros(cls, shape: tuple[int, ...]) -> Self:
        return cls.of([np.zeros(shape) for _ in cls.names])

    @property
    def arrays(self) -> tuple[Array, ...]:
        """In their order."""
        return tuple(getattr(self, name) for name in self.names)

    @property
    def shape(self) -> tuple[int, ...]:
        """(n_elements, nodes_per_element)."""
        return self.arrays[0].shape

    @property
    def vanish(self) -> bool:
        """Whether all are 0 everywhere."""
        return not any(field.any() for field in self.arrays)

    @property
    def n_bytes(self) -> int:
        return sum(a.nbytes for a in (*self.arrays, *self.auxiliary))

    def copy(self) -> Self:
        return self.of([a.copy() for a in self.arrays], tuple(a.copy() for a in self.auxiliary))

    def part(self, name: str, elements: Indices) -> Array:
        """A field, or another part of them that has a medium of its own, on some elements."""
        return np.asarray(getattr(self, name)[elements])

    def put(self, name: str, elements: Indices, values: Array) -> None:
        """Change what :meth:`part` gives, and nothing beside, in place."""
        getattr(self, name)[elements] = values

    def at(self, elements: object) -> Self:
        """Those of some elements, without auxiliary variables."""
        return self.of([a[elements] for a in self.arrays])  # type: ignore[call-overload]

    @staticmethod
    @abstractmethod
    def power_flow(*fields: Array) -> Array:
        """(..., 2) the power through a unit of length across, of (...) fields in their order."""

    @classmethod
    def mean_power_flow(cls, *amplitudes: Complex) -> Array:
        """The same on average over a period, of (...) complex amplitudes: Re[E x H*] / 2."""
        parts = ([a.real for a in amplitudes], [a.imag for a in amplitudes])
        real, imaginary = (cls.power_flow(*part) for part in parts)
        return (real + imaginary) / 2


@dataclass(frozen=True)
class MaxwellFields(Fields):
    """hx, hy, ez of the transverse-magnetic system."""

    hx: Array
    hy: Array
    ez: Array
    auxiliary: tuple[Array, ...] = ()

    names = ("hx", "hy", "ez")
    turned = ("hx", "hy")

    @staticmethod
    def power_flow(*fields: Array) -> Array:
        """S = E x H = (-Ez Hy, Ez Hx)."""
        hx, hy, ez = fields
        return np.stack([-ez * hy, ez * hx], axis=-1)


#: Parts of the stress, by the sign of syy in them.
_SIGNS = {"mean": 1, "differ": -1}


@dataclass(frozen=True)
class ElasticFields(Fields):
    """The velocity and the stress of a solid."""

    vx: Array
    vy: Array
    sxx: Array
    syy: Array
    sxy: Array
    auxiliary: tuple[Array, ...] = ()

    names = ("vx", "vy", "sxx", "syy", "sxy")
    turned = ("vx", "vy")
    asked = {"ez": "vy", "hx": "vx", "hy": "vy"}  # noqa: RUF012

    def part(self, name: str, elements: Indices) -> Array:
        """Also "mean" and "differ", half the sum and half the difference of sxx and syy."""
        if name not in _SIGNS:
            return super().part(name, elements)
        return (self.sxx[elements] + _SIGNS[name] * self.syy[elements]) / 2

    def put(self, name: str, elements: Indices, values: Array) -> None:
        if name not in _SIGNS:
            super().put(name, elements, values)
            return
        change = values - self.part(name, elements)
        self.sxx[elements] += change
        self.syy[elements] += _SIGNS[name] * change

    @staticmethod
    def power_flow(*fields: Array) -> Array:
        """-(stress times velocity)."""
        vx, vy, sxx, syy, sxy = fields
        return -np.stack([sxx * vx + sxy * vy, sxy * vx + syy * vy], axis=-1)


#: By the name of the equations that the system of a scene has.
FIELDS: dict[str, type[Fields]] = {"maxwell": MaxwellFields, "elastic": ElasticFields}
