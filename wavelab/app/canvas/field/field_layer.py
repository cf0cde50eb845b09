"""What the canvas asks of the picture of the field, whoever paints it."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from wavelab.app.base.qt import QImage, QWidget
from wavelab.app.canvas.view_transform import ViewTransform
from wavelab.numerics.fields.discretization import Discretization
from wavelab.output.palette import Rgb
from wavelab.output.relief import Camera
from wavelab.timeline import Timeline


class FieldLayer(Protocol):
    """Colours one nodal field; ``outside``, ``limit``, ``decades``, ``view`` and ``camera`` may be
    set at any time, followed by :meth:`update`.  With a camera it is the height view, see
    :mod:`wavelab.output.relief`, if it ``draws_relief``, else the flat one.  ``timeline`` gets how
    long painting takes."""

    native: QWidget
    draws_relief: bool
    outside: Rgb
    limit: float
    decades: int | None
    view: ViewTransform
    camera: Camera | None
    timeline: Timeline

    def set_discretization(self, discretization: Discretization | None) -> None:
        """New geometry, quiet until values come."""
        ...

    def set_values(self, values: NDArray[np.floating]) -> None:
        """Nodal values, (n_elements, nodes_per_element) or flat.

        Raises
        ------
        ValueError : there is no discretization, or it has another number of nodes.
        """
        ...

    def set_palette(self, name: str) -> None: ...

    def update(self) -> None:
        """Paint soon."""
        ...

    def grab(self) -> QImage:
        """The picture now, in device pixels."""
        ...

    def close(self) -> None: ...


def checked_values(values: NDArray[np.floating], nodes: int) -> NDArray[np.float32]:
    """Flat float32 values for a field of that many nodes, 0 standing for no field at all.

    Raises
    ------
    ValueError : another number of values.
    """
    if nodes == 0 or np.size(values) != nodes:
        raise ValueError(f"{np.size(values)} values for {nodes} nodes")
    return np.ascontiguousarray(values, dtype=np.float32).reshape(-1)
