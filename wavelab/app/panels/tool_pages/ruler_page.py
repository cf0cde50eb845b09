"""The page of the ruler."""

from __future__ import annotations

from wavelab.app.base.qt import Signal
from wavelab.app.language.language import tr
from wavelab.app.panels.fields.labels import muted_label
from wavelab.app.panels.fields.number_fields import PositiveField
from wavelab.app.panels.fields.section import Section


class RulerPage(Section):
    """Emits ``wished(float)`` with another frequency."""

    wished = Signal(float)

    def __init__(self) -> None:
        super().__init__("Ruler")
        self.frequency = PositiveField(1.0)
        self.frequency.setToolTip(
            tr(
                "Wavelengths are counted at this frequency (c / length unit); at first the "
                "lowest of "
                "the sources"
            )
        )
        self.frequency.changed.connect(self.wished)
        self.add_row("Frequency", self.frequency)
        self.add_wide(
            muted_label(
                tr(
                    "Drag to measure. Click where a wave is, and again where it has come to, for "
                    "its "
                    "speed. Esc takes all of it away."
                )
            )
        )
