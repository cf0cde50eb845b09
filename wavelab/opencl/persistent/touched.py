"""Which elements each work group of a kernel changes or reads, of those that it has to itself.

Traces apart, which neighbours read, a kernel acts on whole elements: on blocks of them that lie
side by side, or on some that are listed.  A kernel that is not here may touch anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyopencl as cl

from wavelab.arrays import Indices
from wavelab.opencl.device.memory import DeviceMemory
from wavelab.opencl.persistent.bodies import bodies_of
from wavelab.opencl.persistent.sites import Site


@dataclass(frozen=True)
class Reader:
    """What a kernel was given, for whoever asks which elements it touches.

    Attributes
    ----------
    lanes : elements of a block.
    """

    site: Site
    lanes: int
    memory: DeviceMemory

    @cached_property
    def arguments(self) -> Mapping[str, object]:
        """By the names of the parameters."""
        first = self.site.first
        names = bodies_of(first.source, "", frozenset([self.site.kernel])).parameters
        return dict(zip(names[self.site.kernel], first.arguments, strict=True))

    def integers(self, name: str) -> Indices:
        """Those of a list that it takes."""
        buffer = self.arguments[name]
        assert isinstance(buffer, cl.Buffer)
        found = self.memory.read(buffer, (buffer.size // 4,), np.dtype(np.int32))
        return np.asarray(found, np.int64)

    def number(self, name: str) -> int:
        value = self.arguments[name]
        assert isinstance(value, np.integer)
        return int(value)

    @property
    def units(self) -> Indices:
        return np.arange(self.site.n_units)


def _of_blocks(numbers: Indices, given: Reader) -> Indices:
    """(n_units, lanes) elements of the blocks."""
    return numbers[: given.site.n_units, None] * given.lanes + np.arange(given.lanes)


def _stage(given: Reader) -> Indices:
    if "each" not in given.arguments:
        first = given.number("first_block") if "first_block" in given.arguments else 0
        return _of_blocks(given.units + first, given)
    each = given.number("each")
    return given.units[:, None] * (each * given.lanes) + np.arange(each * given.lanes)


def _dense(given: Reader) -> Indices:
    return (given.number("first") + given.units)[:, None]


def _listed_blocks(name: str) -> Callable[[Reader], Indices]:
    return lambda given: _of_blocks(given.integers(name), given)


def _elements(name: str) -> Callable[[Reader], Indices]:
    return lambda given: given.integers(name)[: given.site.n_units, None]


def _of_nodes(given: Reader) -> Indices:
    """Of ``transform_nodes``, which runs over nodes of blocks of listed elements."""
    elements = given.integers("elements").reshape(-1, given.lanes)
    n_nodes = given.site.n_units // elements.size
    return np.repeat(elements[:, None], n_nodes, axis=1).reshape(-1, 1)


def _of_face_nodes(given: Reader) -> Indices:
    """Of ``publish_some``, which runs over the face nodes of listed elements."""
    elements = given.integers("listed")
    return np.repeat(elements, given.site.n_units // len(elements))[:, None]


#: By kernel: (n_units, n) elements.  What is first decides who has an element.
TOUCHED: dict[str, Callable[[Reader], Indices]] = {
    "stage": _stage,
    "dense_elements": _dense,
    "look": _listed_blocks("listed_blocks"),
    "add_extra": _listed_blocks("listed_blocks"),
    "turn": _listed_blocks("listed_blocks"),
    "conduct": _listed_blocks("blocks"),
    "follow": _listed_blocks("blocks"),
    "publish_dense": _dense,
    "drive_formula": lambda given: _of_blocks(given.units, given),
    "drive_nodes": _elements("elements"),
    "drive_faces": _elements("elements"),
    "drive_fields": _elements("elements"),
    "publish_some": _of_face_nodes,
    "watch_elements": lambda given: given.units[:, None],
    "sample_points": _elements("elements"),
    "transform_points": _elements("elements"),
    "transform_nodes": _of_nodes,
}


def decides(site: Site) -> int:
    """The place of a site among those that decide who has an element."""
    return list(TOUCHED).index(site.kernel) if site.kernel in TOUCHED else len(TOUCHED)


def touched_by(given: Reader) -> Indices | None:
    """(n_units, n) elements; None if it may be any."""
    touched = TOUCHED.get(given.site.kernel)
    return None if touched is None else touched(given)
