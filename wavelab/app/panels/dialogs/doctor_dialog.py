"""What limits the time step, where, why, and buttons that help."""

from __future__ import annotations

from wavelab.app.base import measures
from wavelab.app.base.foreign_text import as_tip, on_menu
from wavelab.app.base.layouts import column, row
from wavelab.app.base.qt import QtWidgets, Signal
from wavelab.app.base.screens import Dialog
from wavelab.app.base.theme import GRID
from wavelab.app.language.language import said, tr, tr_n
from wavelab.app.panels.fields.labels import muted_label, plain_label
from wavelab.simulation.studies.doctor import WORTH_WHILE, Diagnosis, Remedy


class DoctorDialog(Dialog):
    """Emits ``chosen(Remedy)`` and ``pointed(int)`` with the number of a trouble."""

    chosen = Signal(object)
    pointed = Signal(int)

    def __init__(self, parent: QtWidgets.QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Time step doctor"))
        self.setMinimumWidth(80 * GRID)
        self.sentence = plain_label()
        self._without = muted_label()
        self.troubles = QtWidgets.QListWidget()
        self.troubles.setToolTip(tr("The circles on the canvas; click one to go there"))
        self.troubles.setWordWrap(True)
        self.troubles.currentRowChanged.connect(self.pointed)
        self._remedies = column()
        self.buttons: dict[str, QtWidgets.QPushButton] = {}
        self.effects: dict[str, QtWidgets.QLabel] = {}
        heading = QtWidgets.QLabel(tr("What would help"))
        heading.setObjectName("heading")
        column(
            self.sentence, self._without, (self.troubles, 1), heading, self._remedies,
            on=self, margins=(2, 2, 2, 2),
        )  # fmt: skip
        self.show_waiting()

    def show_waiting(self) -> None:
        self.sentence.setText(tr("Looking for the elements that limit the time step\u2026"))
        self._without.setText("")
        self._fill((), ())

    def show_failure(self, text: str) -> None:
        """Nothing more comes, and why."""
        self.sentence.setText(text)

    def show_diagnosis(self, diagnosis: Diagnosis) -> None:
        self.sentence.setText(
            tr(
                "Time step {dt}. {diagnosis}",
                dt=measures.time(diagnosis.dt),
                diagnosis=said(diagnosis.sentence()),
            )
        )
        gains = ", ".join(
            f"{part:.1%} ({count}): {gain:.2f}\u00d7"
            for part, (count, gain) in diagnosis.without.items()
        )
        self._without.setText(tr("Without the fastest {gains} the present step.", gains=gains))
        self._fill(
            tuple(
                tr_n(
                    "{reason} \u2013 {n} element, {slowdown}\u00d7 too fast",
                    "{reason} \u2013 {n} elements, {slowdown}\u00d7 too fast",
                    t.elements,
                    reason=_capital(said(t.reason)),
                    slowdown=f"{t.slowdown:.1f}",
                )
                for t in diagnosis.troubles
            ),
            diagnosis.remedies,
        )

    def show_gain(self, remedy: Remedy, gain: float | None) -> None:
        """``gain`` is the new step over the present one, or how many times less work it is; None
        when it cannot be meshed."""
        button, effect = self.buttons[remedy.label], self.effects[remedy.label]
        text = _capital(said(remedy.effect))
        if gain is None:
            effect.setText(tr("{text}: cannot be meshed.", text=text))
            return
        worth = gain >= WORTH_WHILE
        button.setEnabled(worth)
        gains = f"{gain:.2f}\u00d7 {said(remedy.gains)}"
        none = "" if worth else tr(", no gain")
        effect.setText(f"{text}: {gains}{none}.")

    def _fill(self, troubles: tuple[str, ...], remedies: tuple[Remedy, ...]) -> None:
        self.troubles.blockSignals(True)
        self.troubles.clear()
        self.troubles.addItems(troubles)
        self.troubles.setVisible(bool(troubles))
        self.troubles.blockSignals(False)
        while self._remedies.count():
            item = self._remedies.takeAt(0).widget()
            item.setParent(None)
            item.deleteLater()
        self.buttons.clear()
        self.effects.clear()
        for remedy in remedies:
            self._add(remedy)
        self.adjustSize()

    def _add(self, remedy: Remedy) -> None:
        button = QtWidgets.QPushButton(on_menu(tr(remedy.label)))
        button.setEnabled(False)
        button.setFixedWidth(22 * GRID)
        what = _capital(said(remedy.effect))
        button.setToolTip(as_tip(tr("{what}; undo takes it back", what=what)))
        button.clicked.connect(lambda: self.chosen.emit(remedy))
        effect = muted_label(tr("{what}: measuring\u2026", what=what))
        # Room for what will be said, so that nothing moves when it is.
        effect.setMinimumHeight(2 * effect.fontMetrics().lineSpacing())
        line = QtWidgets.QWidget()
        row(button, (effect, 1), on=line, spacing=2)
        self.buttons[remedy.label], self.effects[remedy.label] = button, effect
        self._remedies.addWidget(line)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
