"""The energy ledger: where the energy came from and where it went."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from wavelab.app.base import measures
from wavelab.app.base.numbers import three_figures
from wavelab.app.base.qt import QColor, QEvent, QPainter, QRectF, Qt, QtWidgets, painting
from wavelab.app.base.theme import GRID, Theme, tabular_font
from wavelab.app.language.language import said, tr
from wavelab.output.numbers import MINUS
from wavelab.simulation.energy.account import Account

#: Of the largest entry, and of anything: less is rounding, and shown as 0.
_ROUNDING, _NOTHING = 1e-16, float(np.finfo(np.float32).tiny)
#: The widest number.
_WIDEST = f"{MINUS}0.00\u00d710{MINUS}\u2070\u2070"
#: Residual, in parts of the energy handled, above which it is written as a warning.
LARGE_RESIDUAL = 0.03


@dataclass(frozen=True)
class Entry:
    """One line: what it is called, how it is reckoned, and what it means for newcomers."""

    label: str
    value: Callable[[Account], float]
    meaning: str
    loss: bool = False
    always: bool = True  #: whether it is there even if it is 0


ENTRIES: tuple[Entry, ...] = (
    Entry("At the start", lambda a: a.initial, "Energy of the fields the account began with."),
    Entry(
        "Pings",
        lambda a: a.pings,
        "Energy your pings added; negative if they met a field of the other sign.",
    ),
    Entry(
        "Sources",
        lambda a: a.sources,
        "Work of the sources on the field; negative if they took out more.",
    ),
    Entry(
        "Changing media",
        lambda a: a.parametric,
        "Work of media that change in time; negative if they took out more.",
        always=False,
    ),
    Entry(
        "Other mesh",
        lambda a: a.carried,
        "Energy that the field has more or less since it was carried over to another mesh: what an "
        "obstacle covers now is lost.",
        always=False,
    ),
    Entry(
        "Walls",
        lambda a: a.walls,
        "Energy that left through walls that do not send all of it back.",
        loss=True,
    ),
    Entry(
        "Heat in media",
        lambda a: a.conductors,
        "Energy that became heat in media with losses and in dispersive ones.",
        loss=True,
    ),
    Entry(
        "Numerical",
        lambda a: a.numerical,
        "Energy the upwind flux took out of waves that the mesh does not resolve; "
        "smaller elements or a higher order make it smaller.",
        loss=True,
    ),
    Entry("Stored", lambda a: a.stored, "Energy in the fields now."),
    Entry(
        "Residual",
        lambda a: a.residual,
        "What is stored beyond all other entries: the error of this account, from the time steps, "
        "from rounding, and from looking at the whole field only now and then.",
    ),
)


class LedgerPanel(QtWidgets.QWidget):
    """Label, bar and number of each entry, the longest bar being all the energy handled."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.account: Account | None = None
        self.setFont(tabular_font(9))
        metrics = self.fontMetrics()
        self._line = metrics.height()
        self._labels = max(metrics.horizontalAdvance(tr(entry.label)) for entry in ENTRIES)
        self._numbers = metrics.horizontalAdvance(_WIDEST)
        self.setMinimumWidth(self._labels + self._numbers + 5 * GRID)
        self.setMinimumHeight(len(ENTRIES) * (self._line - 2) + GRID)
        self.setAccessibleName(tr("Energy ledger"))

    @property
    def entries(self) -> list[Entry]:
        """Those that are shown."""
        account = self.account
        return [e for e in ENTRIES if e.always or (account is not None and e.value(account) != 0)]

    @property
    def _row(self) -> float:
        """Height of a line: close together in a low window, but never far apart."""
        return min(self._line + 2.0, (self.height() - GRID) / len(self.entries))

    def show_account(self, account: Account | None) -> None:
        if account != self.account:
            self.account = account
            self.update()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def texts(self) -> dict[str, str]:
        """What each line says."""
        if self.account is None:
            return {}
        values = {entry: entry.value(self.account) for entry in self.entries}
        least = max(_NOTHING, _ROUNDING * max(map(abs, values.values())))
        shown = {entry: v if abs(v) > least else 0.0 for entry, v in values.items()}
        return {
            entry.label: (MINUS if entry.loss and value > 0 else "") + three_figures(value)
            for entry, value in shown.items()
        }

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.ToolTip:
            index = int((event.pos().y() - GRID / 2) // self._row)
            text = said(self.explanation(index))
            QtWidgets.QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)

    def explanation(self, index: int) -> str:
        """What the tooltip of a line says; that of the balance as a whole beside them."""
        entries = self.entries
        if not 0 <= index < len(entries):
            return "Stored = at the start + pings + sources \u2212 losses + residual"
        entry, account = entries[index], self.account
        text = f"{entry.label}: {entry.meaning}"
        if account is not None and entry.label == "Residual":
            every = (account.until - account.since) / max(1, account.looks - 1)
            text += (
                f" Here {share(account):.2%} of the energy handled. The whole field was looked at "
                f"{account.looks} times, every {measures.time(every)} of simulated time; with half "
                f"as many looks the other entries change by {three_figures(account.doubt)}."
            )
            if share(account) > LARGE_RESIDUAL and _in_doubt(account):
                text += " Most of it comes from looking too seldom: a slower speed helps."
        elif account is not None:
            text += f" Counted since t = {measures.time(account.since)}."
        return text

    def paintEvent(self, event: object) -> None:
        with painting(self) as painter:
            self._paint(painter)

    def _paint(self, painter: QPainter) -> None:
        theme, account = self._theme, self.account
        painter.fillRect(self.rect(), QColor(theme.window))
        if account is None:
            painter.setPen(QColor(theme.muted))
            painter.drawText(self.rect(), int(Qt.AlignCenter), tr("No wave yet"))
            return
        left, whole = 2 * GRID + self._labels, account.turnover
        numbers = self.width() - GRID - self._numbers
        room = numbers - left - GRID
        for index, (entry, text) in enumerate(
            zip(self.entries, self.texts().values(), strict=True)
        ):
            top = GRID / 2 + index * self._row
            value = entry.value(account)
            large = entry.label == "Residual" and share(account) > LARGE_RESIDUAL
            if large:
                colour = theme.muted if _in_doubt(account) else theme.danger
            else:
                colour = theme.probe_series[1] if entry.loss else theme.accent
            part = min(1.0, abs(value) / whole) if whole > 0 else 0.0
            painter.setPen(QColor(theme.muted))
            box = QRectF(GRID, top, self._labels + 1, self._row)
            painter.drawText(box, int(Qt.AlignLeft | Qt.AlignVCenter), tr(entry.label))
            track = QRectF(left, top + self._row / 2 - 3, room, 6)
            painter.fillRect(track, QColor(theme.raised))
            painter.fillRect(
                QRectF(track.left(), track.top(), part * room, track.height()), QColor(colour)
            )
            painter.setPen(QColor(colour if large else theme.text))
            box = QRectF(numbers, top, self._numbers, self._row)
            painter.drawText(box, int(Qt.AlignRight | Qt.AlignVCenter), text)


def _in_doubt(account: Account) -> bool:
    """Whether a large residual may come of looking too seldom, which says nothing of the wave."""
    return account.doubt > abs(account.residual) / 2


def share(account: Account) -> float:
    """|residual| in parts of the energy handled."""
    return abs(account.residual) / account.turnover if account.turnover > 0 else 0.0
