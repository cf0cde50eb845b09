"""How a probe is heard: which one, how high and how loud."""

from __future__ import annotations

from collections.abc import Sequence

from wavelab.app.base.layouts import column, row
from wavelab.app.base.qt import QSize, QtWidgets, Signal
from wavelab.app.base.theme import Theme, icon
from wavelab.app.language.language import tr
from wavelab.app.panels.fields.number_fields import PositiveField
from wavelab.app.panels.fields.value_slider import Notches, ValueSlider

_VOLUMES = Notches(0.0, 1.0, 0.01)


class SoundBar(QtWidgets.QWidget):
    """Emits ``probe_wished(name)``, ``hertz_wished(what the frequency 1 is heard as)``,
    ``volume_wished(0 to 1)`` and ``muted_wished(whether)``."""

    probe_wished = Signal(str)
    hertz_wished = Signal(float)
    volume_wished = Signal(float)
    muted_wished = Signal(bool)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.probe = QtWidgets.QComboBox()
        self.probe.setToolTip(tr("The probe that is heard"))
        self.probe.setAccessibleName(tr("Probe that is heard"))
        self.probe.setSizeAdjustPolicy(QtWidgets.QComboBox.AdjustToMinimumContentsLengthWithIcon)
        self.probe.setMinimumContentsLength(3)
        self.hertz = PositiveField(440.0)
        tip = tr("What the frequency 1 of the scene is heard as; other frequencies in proportion")
        self.hertz.setToolTip(tip)
        self.hertz.setAccessibleName(tr("What the frequency 1 is heard as, in hertz"))
        self.volume = ValueSlider()
        self.volume.setToolTip(tr("How loud it is at most"))
        self.volume.setAccessibleName(tr("Volume"))
        self.mute = QtWidgets.QToolButton()
        self.mute.setCheckable(True)
        self.mute.setIconSize(QSize(16, 16))
        self.mute.setAccessibleName(tr("Mute"))
        label = QtWidgets.QLabel(tr("f = 1 sounds as"))
        label.setToolTip(tip)
        column(
            row(label, (self.hertz, 1), QtWidgets.QLabel("Hz"), spacing=0.5),
            row((self.probe, 2), self.mute, (self.volume, 1), spacing=0.5),
            on=self,
            spacing=0.5,
        )
        self.probe.textActivated.connect(self.probe_wished)
        self.hertz.changed.connect(self.hertz_wished)
        self.volume.slid.connect(self.volume_wished)
        self.volume.stepped.connect(self.volume_wished)
        self.mute.toggled.connect(self.muted_wished)
        self.set_theme(theme)

    def show_sound(
        self, names: Sequence[str], probe: str, hertz: float, volume: float, muted: bool
    ) -> None:
        """What can be heard, what is, and how."""
        if [self.probe.itemText(i) for i in range(self.probe.count())] != list(names):
            self.probe.clear()
            self.probe.addItems(list(names))
        self.probe.setCurrentText(probe)
        self.hertz.set_value(float(f"{hertz:.6g}"))
        self.volume.show_value(_VOLUMES, volume)
        self.mute.setChecked(muted)
        self._show_mute()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._show_mute()

    def _show_mute(self) -> None:
        muted = self.mute.isChecked()
        name = "ph.speaker-slash" if muted else "ph.speaker-high"
        self.mute.setIcon(icon(name, self._theme))
        self.mute.setToolTip(tr("Let it be heard again") if muted else tr("Silence it for a while"))
