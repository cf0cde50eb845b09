"""The status line: what is being computed, and how fast."""

from __future__ import annotations

from wavelab.app.base import measures
from wavelab.app.base.numbers import count
from wavelab.app.base.qt import QSize, Qt, QtGui, QtWidgets
from wavelab.app.base.theme import GRID, tabular_font
from wavelab.app.language.language import said, tr
from wavelab.app.panels.fields.labels import ElidedLabel, WholeLabel
from wavelab.simulation.messages.events import Loaded
from wavelab.simulation.messages.frames import Frame

_TIME_STEP = "Time step"
#: key -> (widest text, tooltip); the label is as wide as that text for good.
_FIELDS: dict[str, tuple[str, str]] = {
    "time": ("t 0.0000\u00d710\u207b\u2075", "Simulated time; speed 1 is one length unit in 1"),
    "dt": ("dt 0.00\u00d710\u207b\u2075", _TIME_STEP),
    "steps": ("00\u202f000 steps/s", "Time steps per second of wall time"),
    "frames": ("000 frames/s", "Pictures per second of wall time"),
    "mesh": ("order 10, 000\u202f000 elements", "Polynomial order and number of triangles"),
    "unknowns": ("00\u202f000\u202f000 unknowns", "Every field at every node of every element"),
}


class StatusLine(QtWidgets.QStatusBar):
    """Fixed-width fields, and the device at the end."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizeGripEnabled(False)
        self.setContentsMargins(GRID, 0, GRID, 0)
        # A superscript may come from a higher font: the canvas must not grow and shrink with it.
        self.setFixedHeight(3 * GRID)
        font = tabular_font(9)
        self._labels: dict[str, QtWidgets.QLabel] = {}
        for key, (widest, tip) in _FIELDS.items():
            label = WholeLabel()
            label.setFont(font)
            label.setToolTip(tr(tip))
            label.setFixedWidth(label.fontMetrics().horizontalAdvance(said(widest)) + 12)
            self._labels[key] = label
            self.addWidget(label)
        self._device = ElidedLabel()
        self._device.setAlignment(Qt.AlignRight | Qt.AlignVCenter)
        self._device.setFont(font)
        self.addWidget(self._device, 1)

    def minimumSizeHint(self) -> QSize:
        """What has no room is left out, and the panels above are not wider for it than the window:
        they would lie over each other."""
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        room = event.size().width() - 2 * GRID
        for label in self._labels.values():
            room -= label.width() + self.layout().spacing()
            label.setVisible(room >= 0)
        super().resizeEvent(event)

    def text(self, key: str) -> str:
        """What field ``key`` says; "device" too."""
        return self._device.text() if key == "device" else self._labels[key].text()

    def show_loaded(self, loaded: Loaded | None) -> None:
        """What runs, if anything does."""
        if loaded is None:
            return
        self._labels["dt"].setText(tr("dt {dt}", dt=measures.time(loaded.dt)))
        self._labels["dt"].setToolTip(said(_steps(loaded)))
        self._labels["mesh"].setText(
            tr(
                "order {order}, {elements} elements",
                order=loaded.order,
                elements=count(loaded.elements),
            )
        )
        self._labels["unknowns"].setText(tr("{unknowns} unknowns", unknowns=count(loaded.unknowns)))
        self._device.setText(
            tr(
                "{device}, {precision} precision{loaded}",
                device=loaded.device,
                precision=tr(loaded.precision),
                loaded=said(_levels(loaded)),
            )
        )
        self._device.setToolTip(
            tr(
                "{device} ({backend}), {precision} precision",
                device=loaded.device,
                backend=loaded.backend,
                precision=tr(loaded.precision),
            )
        )

    def show_frame(self, frame: Frame, frames_per_second: float) -> None:
        self._labels["time"].setText(f"t {measures.clock(frame.time)}")
        self._labels["steps"].setText(
            tr("{steps_per_second} steps/s", steps_per_second=count(frame.steps_per_second))
        )
        self._labels["frames"].setText(
            tr("{frames_per_second} frames/s", frames_per_second=count(frames_per_second))
        )


def _levels(loaded: Loaded) -> str:
    n_levels = len(loaded.clusters)
    return f", steps down to dt/{1 << (n_levels - 1)}" if n_levels > 1 else ""


def _steps(loaded: Loaded) -> str:
    """What the time step means."""
    lines = [
        f"{elements} elements take {1 << (len(loaded.clusters) - 1 - level)} in one"
        for level, elements in enumerate(loaded.clusters)
    ]
    return "\n".join([_TIME_STEP, *lines])
