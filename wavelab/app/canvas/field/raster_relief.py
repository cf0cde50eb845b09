"""The height view painted by the processor, as in pictures and movies."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from wavelab.app.base.loop.background import Background
from wavelab.app.base.qt import QTimer, QWidget
from wavelab.numerics.fields.discretization import Discretization
from wavelab.output.palette import Rgb
from wavelab.output.relief import Camera, Relief

#: How often the window asks whether the relief of a new mesh is ready.
POLL_MS = 30


class _Job(Background[Relief]):
    """Makes the relief of a mesh, a few tenths of a second, while the window goes on."""

    def __init__(self, discretization: Discretization) -> None:
        self.discretization = discretization
        super().__init__("relief", lambda _: Relief(discretization))


class RasterRelief:
    """Pictures of one nodal field after the other; those of a mesh begin once its relief is ready,
    and until then the last picture stays.

    Parameters
    ----------
    parent : widget it is painted in.
    ready : called when the relief of another mesh is there.
    """

    def __init__(self, parent: QWidget, *, ready: Callable[[], None]) -> None:
        self._discretization: Discretization | None = None
        self._values: NDArray[np.float32] | None = None
        self._relief: Relief | None = None
        self._raised: Discretization | None = None  # the mesh of the relief
        self._failed: Discretization | None = None  # a mesh that no relief can be made of
        self._kept: NDArray[np.float32] | None = None  # its values, once there is another mesh
        self._job: _Job | None = None
        self._told = ready
        self._poll = QTimer(parent, interval=POLL_MS, timeout=self._collect)

    @property
    def ready(self) -> bool:
        """Whether the relief of the present mesh can be painted."""
        return self._relief is not None and self._raised is self._discretization

    @property
    def empty(self) -> bool:
        """Whether there is no picture at all, and the first one is still to come."""
        return self._relief is None and self._discretization is not self._failed

    def set_discretization(self, discretization: Discretization | None, *, seen: bool) -> None:
        """Another mesh; ``seen`` says whether the last picture is on show, to stay there."""
        if self.ready:
            self._kept = self._values
        if discretization is None or (not seen and discretization is not self._raised):
            self._relief = self._raised = self._kept = None
        self._discretization, self._values = discretization, None

    def set_values(self, values: NDArray[np.float32]) -> None:
        """Flat nodal values."""
        self._values = values

    def prepare(self) -> None:
        """Begin to make the relief of the present mesh, if it is not there yet."""
        wanted = self._discretization is not self._failed and not self.ready
        if self._discretization is not None and wanted and self._job is None:
            self._job = _Job(self._discretization)
            self._poll.start()

    def finish(self) -> None:
        """Wait for it.

        Raises
        ------
        Exception : it cannot be made, which is not tried again.
        """
        self.prepare()
        while self._job is not None:
            self._job.join()
            self._collect()

    def _collect(self) -> None:
        job = self._job
        if job is None or not job.done:
            return
        self._poll.stop()
        self._job = None
        if job.discretization is self._discretization:
            self._failed = job.discretization
            self._told()
            self._relief, self._raised, self._kept = job.result(), job.discretization, None
            self._failed = None
        else:
            self.prepare()

    def picture(
        self,
        camera: Camera,
        size: tuple[int, int],
        palette: str,
        limit: float,
        outside: Rgb,
        decades: int | None,
    ) -> NDArray[np.uint8]:
        """(height, width, 3), see :meth:`wavelab.output.relief.Relief.picture`."""
        relief, raised = self._relief, self._raised
        size = max(size[0], 1), max(size[1], 1)
        if relief is None or raised is None:
            return np.full((size[1], size[0], 3), outside, np.uint8)
        values = self._values if self.ready else self._kept
        if values is None:
            values = np.zeros(raised.shape, np.float32)
        sampled = relief.sample(values.reshape(raised.shape))
        return relief.picture(sampled, camera, size, palette, limit, outside, decades)
