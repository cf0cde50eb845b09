"""The bar of time: how far back the wave is kept, and where in its past it is."""

from __future__ import annotations

from collections.abc import Sequence

from wavelab.app.base import measures
from wavelab.app.base.layouts import column, row
from wavelab.app.base.numbers import three_figures
from wavelab.app.base.qt import QSize, Qt, QtWidgets
from wavelab.app.base.theme import GRID, tabular_font
from wavelab.app.language.language import said, tr, tr_n
from wavelab.app.panels.fields.labels import WholeLabel
from wavelab.app.panels.fields.value_slider import Notches, ValueSlider
from wavelab.simulation.messages.frames import Frame, PastSpan

_MIB = 2**20
_WIDEST = "000.000 ms"


class TimeBar(QtWidgets.QWidget):
    """Two buttons, a slider over all steps that can be gone back to, and what it says in words.

    Takes no room where nothing is to be kept.

    Parameters
    ----------
    actions : of the buttons.

    Attributes
    ----------
    slider : its value is the number of a step.
    """

    def __init__(self, actions: Sequence[QtWidgets.QAction]) -> None:
        super().__init__()
        self.slider = ValueSlider()
        self.slider.setObjectName("time")
        self.slider.setAccessibleName(tr("Time"))
        self._label = WholeLabel()
        self._label.setObjectName("muted")
        self._label.setFont(tabular_font(9))
        self._label.setAlignment(Qt.AlignRight | Qt.AlignVCenter)
        self._label.setMinimumWidth(1)
        widest = max(map(self._label.fontMetrics().horizontalAdvance, _widest()))
        self._label.setMaximumWidth(widest + 2 * GRID)
        policy = QtWidgets.QSizePolicy
        self._label.setSizePolicy(policy.Expanding, policy.Preferred)
        self.slider.setMinimumWidth(10 * GRID)
        self._inside = inside = QtWidgets.QWidget()
        buttons = [self._button(action) for action in actions]
        row(*buttons, (self.slider, 2), (self._label, 1), on=inside, margins=(1, 0, 2, 0))
        inside.setFixedHeight(3 * GRID + GRID // 2)
        column(inside, on=self)
        self._shown: tuple[PastSpan, int] | None = None
        self._inside.hide()

    def _button(self, action: QtWidgets.QAction) -> QtWidgets.QToolButton:
        button = QtWidgets.QToolButton()
        button.setDefaultAction(action)
        button.setIconSize(QSize(14, 14))
        button.setFixedSize(3 * GRID, 3 * GRID)
        button.setAccessibleName(action.text().replace("&", ""))
        button.setFocusPolicy(Qt.NoFocus)
        return button

    @property
    def text(self) -> str:
        """What it says."""
        return self._label.text()

    def show_units(self) -> None:
        """Times are in other units from now on."""
        self._shown = None

    def show_frame(self, frame: Frame) -> None:
        """What is kept, and where the wave is; a slider that is held stays in the hand."""
        past = frame.past
        self._inside.setVisible(past is not None)
        if past is None or (past, frame.steps) == self._shown:
            return
        self._shown = past, frame.steps
        there = past.newest > past.first
        self.slider.setEnabled(there)
        if not self.slider.held:
            notches = Notches(past.first, max(past.newest, past.first + 1), 1.0)
            self.slider.show_value(notches, frame.steps if there else notches.high)
        self._label.setText(_words(past, frame))
        self.setToolTip(_explained(past))
        self.slider.setToolTip(self.toolTip())


def _words(past: PastSpan, frame: Frame) -> str:
    if past.needed:
        return tr("Nothing is kept")
    if frame.steps < past.newest:
        return _there(_time(frame.time), _time(past.newest_time))
    return _since(_time(past.first_time))


def _there(time: str, newest: str) -> str:
    return tr("t {time} of {newest}", time=time, newest=newest)


def _since(time: str) -> str:
    return tr("kept from t {time}", time=time)


def _widest() -> tuple[str, ...]:
    """All that it says, with times as wide as they get."""
    return tr("Nothing is kept"), _there(_WIDEST, _WIDEST), _since(_WIDEST)


def _explained(past: PastSpan) -> str:
    if past.needed:
        return tr(
            "One moment of this wave takes {mib} MiB, more than the past may\n"
            "take in all (menu Run, Memory of the past).",
            mib=f"{past.needed / _MIB:,.0f}",
        )
    kept = tr_n(
        "{n} moment is kept since {since}, {mib} MiB.",
        "{n} moments are kept since {since}, {mib} MiB.",
        past.moments,
        since=said(past.since),
        mib=f"{past.n_bytes / _MIB:.3g}",
    )
    told = tr(
        "Drag to see the wave as it was. It goes on from there just as it did,\n"
        "unless a ping or an edit begins another future."
    )
    return f"{told}\n{kept}"


def _time(value: float) -> str:
    return measures.clock(
        value, lambda number: f"{number:.3f}" if abs(number) < 1e3 else three_figures(number)
    )
