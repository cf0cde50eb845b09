"""The field painted by the processor, for screens where OpenGL is missing or is the processor's
own imitation of it, which costs four times as much."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from wavelab.app.base.images import image_of
from wavelab.app.base.loop.background import Background
from wavelab.app.base.qt import (
    QColor,
    QImage,
    QPainter,
    QPainterPath,
    QPointF,
    QPolygonF,
    QRectF,
    Qt,
    QtGui,
    QTimer,
    QWidget,
    painting,
)
from wavelab.app.canvas.field.field_layer import checked_values
from wavelab.app.canvas.field.raster_relief import RasterRelief
from wavelab.app.canvas.overlay.ink import Ink
from wavelab.app.canvas.view_transform import ViewTransform
from wavelab.app.language.language import tr
from wavelab.arrays import Array
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.sampling import Extent, PixelSampler
from wavelab.numerics.mesh.mesh import FACE_VERTICES, Mesh, edge_keys
from wavelab.output.palette import Rgb, background, colorize
from wavelab.output.relief import Camera
from wavelab.scene.edges.edge_lines import chain
from wavelab.timeline import NO_TIMELINE

#: The picture is sampled at no more than this many pixels and magnified, to keep 20 a second.
MOST_PIXELS = 240_000
#: The same for the height view.
MOST_RELIEF_PIXELS = 130_000
#: Parts of the width and height at which a new mesh is sampled first: a tenth of the work.
FIRST_LOOK = 0.25
#: A view that has moved is sampled anew after this long; until then the old picture moves.
REST_MS = 150
#: How often the window asks whether the new sampler is ready.
POLL_MS = 30


class SamplerJob(Background[PixelSampler]):
    """Makes the sampler of one view, a few tenths of a second, while the window goes on.

    Parameters
    ----------
    first_look : make a coarse one before it.

    Attributes
    ----------
    coarse : as soon as it is there.
    """

    def __init__(
        self, discretization: Discretization, view: ViewTransform, *, first_look: bool = False
    ) -> None:
        self.discretization = discretization
        self.view = view
        self.coarse: PixelSampler | None = None
        self._first_look = first_look
        super().__init__("pixel sampler", lambda _: self._sharp())

    def _sharp(self) -> PixelSampler:
        shrink = min(1.0, math.sqrt(MOST_PIXELS / (self.view.width * self.view.height)))
        if self._first_look:
            self.coarse = self._at(FIRST_LOOK * shrink)
        return self._at(shrink)

    def _at(self, shrink: float) -> PixelSampler:
        view = self.view
        width, height = max(round(shrink * view.width), 1), max(round(shrink * view.height), 1)
        return PixelSampler(self.discretization, view.visible(), width, height)


class RasterField(QWidget):
    """Samples the polynomials at the pixels of a coarser picture; the same colours as OpenGL's."""

    def __init__(self, parent: QWidget, *, drawn: Callable[[], None]) -> None:
        super().__init__(parent)
        self.native = self
        self.draws_relief = True
        self.outside: Rgb = (0, 0, 0)
        self.limit = 1.0
        self.decades: int | None = None
        self.view = ViewTransform()
        self.camera: Camera | None = None
        self.timeline = NO_TIMELINE
        self._relief = RasterRelief(self, ready=self.update)
        self._drawn = drawn
        self._palette = "berlin"
        self._discretization: Discretization | None = None
        self._values: NDArray[np.float32] | None = None
        self._sampler: PixelSampler | None = None
        self._sampled: ViewTransform | None = None  #: what was sampled last, or could not be
        #: Loops around the mesh, needed until the picture shows its edge by itself.
        self._rim: list[Array] = []
        self._picture: QImage | None = None
        self._extent: Extent = (0.0, 0.0, 1.0, 1.0)
        self._job: SamplerJob | None = None
        self._poll = QTimer(self, interval=POLL_MS, timeout=self._collect)
        self._rest = QTimer(self, singleShot=True, interval=REST_MS, timeout=self._rested)

    @property
    def sharp(self) -> bool:
        """Whether the picture has been sampled for the view it is shown in."""
        if self.camera is not None:
            return self._relief.ready
        return self._sampler is not None and self._sampled == self.view

    def set_discretization(self, discretization: Discretization | None) -> None:
        self._discretization = discretization
        self._relief.set_discretization(discretization, seen=self.camera is not None)
        self._values = None
        self._rim = []
        if discretization is None:
            self._picture = None
        else:
            self._rim = rim(discretization.mesh)
            self._values = np.zeros(discretization.shape, np.float32).reshape(-1)
        self._sampler = self._sampled = None
        # Not at once: the canvas is about to say where to look.
        QTimer.singleShot(0, self._resample)
        self.update()

    def set_values(self, values: NDArray[np.floating]) -> None:
        self._values = checked_values(values, 0 if self._values is None else len(self._values))
        self._relief.set_values(self._values)
        self.update()

    def set_palette(self, name: str) -> None:
        self._palette = name
        self.update()

    def grab(self) -> QImage:
        if self.camera is not None:
            self._relief.finish()
            return self._relief_picture(self.camera, self.devicePixelRatioF())
        if self._discretization is not None and not self.sharp:
            job = self._job
            if job is None or (job.discretization, job.view) != (self._discretization, self.view):
                job = SamplerJob(self._discretization, self.view)
            job.join()
            self._show_sharp(job)
        return super().grab().toImage()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        with self.timeline.span("paint field"):
            if self.camera is not None:
                self._paint_relief(self.camera)
            else:
                self._paint()
        self._drawn()

    def _paint(self) -> None:
        if self._discretization is not None:
            if not (self._sampled == self.view or self._job or self._rest.isActive()):
                self._rest.start()
            if self._sampler is not None:
                self._sample(self._sampler, self._discretization)
        with painting(self) as painter:
            painter.fillRect(self.rect(), QColor(*self.outside))
            if self._rim:
                # Until a new mesh is sampled the last picture stays, or a coarse one is there, in
                # the new shape: nothing flickers.
                shape = self._rim_path()
                painter.fillPath(shape, QColor(*background(self._palette)))
                painter.setClipPath(shape)
            if self._picture is not None:
                x0, y0, x1, y1 = self._extent
                (left, top), (right, bottom) = self.view.to_pixels([(x0, y1), (x1, y0)]).tolist()
                painter.setRenderHint(QPainter.SmoothPixmapTransform)
                painter.drawImage(QRectF(left, top, right - left, bottom - top), self._picture)

    def _paint_relief(self, camera: Camera) -> None:
        self._relief.prepare()
        coarse = min(1.0, math.sqrt(MOST_RELIEF_PIXELS / max(self.width() * self.height(), 1)))
        with painting(self) as painter:
            painter.setRenderHint(QPainter.SmoothPixmapTransform)
            painter.drawImage(QRectF(self.rect()), self._relief_picture(camera, coarse))
            if self._discretization is not None and self._relief.empty:
                painter.setPen(Ink.for_palette(self._palette).line)
                painter.drawText(self.rect(), int(Qt.AlignCenter), tr("Raising the relief\u2026"))

    def _relief_picture(self, camera: Camera, magnified: float) -> QImage:
        size = round(magnified * self.width()), round(magnified * self.height())
        return image_of(
            self._relief.picture(
                camera, size, self._palette, self.limit, self.outside, self.decades
            )
        )

    def _rim_path(self) -> QPainterPath:
        path = QPainterPath()  # filled by the odd-even rule: what is within a hole is outside
        for loop in self._rim:
            path.addPolygon(QPolygonF([QPointF(x, y) for x, y in self.view.to_pixels(loop)]))
        return path

    def _sample(self, sampler: PixelSampler, discretization: Discretization) -> None:
        assert self._values is not None
        values = sampler.sample(self._values.reshape(discretization.shape))
        rgb = colorize(values, self._palette, self.limit, self.outside, self.decades)
        self._picture = image_of(rgb)
        self._extent = sampler.extent

    def _rested(self) -> None:
        """The view stays as it is; beside the height view nobody sees it."""
        if self.camera is None:
            self._resample()

    def _resample(self) -> None:
        if self._job is None and self._discretization is not None:
            new = self._sampler is None
            self._job = SamplerJob(self._discretization, self.view, first_look=new)
            self._poll.start()

    def _collect(self) -> None:
        job = self._job
        if job is None:
            return
        wanted = job.discretization is self._discretization
        if not job.done:
            if wanted and self._sampler is None and job.coarse is not None:
                self._sampler = job.coarse
                self.update()
            return
        self._poll.stop()
        self._job = None
        self.update()
        if wanted:
            self._show_sharp(job)
        else:
            self._resample()

    def _show_sharp(self, job: SamplerJob) -> None:
        self._sampled = job.view  # first, so that what fails is told once and not tried for ever
        self._sampler, self._rim = job.result(), []


def rim(mesh: Mesh) -> list[Array]:
    """Loops (n, 2) of the faces that only one element has; arcs are taken for their chords."""
    faces = mesh.triangles[:, FACE_VERTICES].reshape(-1, 2)
    keys = edge_keys(faces, mesh.n_vertices)
    _, first, times = np.unique(keys, return_index=True, return_counts=True)
    return [mesh.vertices[loop] for loop in chain(faces[first[times == 1]])]
