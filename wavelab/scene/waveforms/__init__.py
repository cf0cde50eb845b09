"""Waveforms: one file for each kind, with its numbers, rules, formula and frequencies."""

from wavelab.scene.model.sending.waveform import Waveform
from wavelab.scene.waveforms.chirp import Chirp
from wavelab.scene.waveforms.file_waveform import FileWaveform
from wavelab.scene.waveforms.formula_waveform import FormulaWaveform
from wavelab.scene.waveforms.gaussian_pulse import GaussianPulse
from wavelab.scene.waveforms.modulated_gaussian import ModulatedGaussian
from wavelab.scene.waveforms.ricker import Ricker
from wavelab.scene.waveforms.sine import Sine

#: The ``kind`` written in a scene file.
WAVEFORMS: dict[str, type[Waveform]] = {
    "sine": Sine,
    "gaussian": GaussianPulse,
    "ricker": Ricker,
    "modulated_gaussian": ModulatedGaussian,
    "chirp": Chirp,
    "formula": FormulaWaveform,
    "file": FileWaveform,
}

#: Those that the window offers, by what it calls them.
WAVES: dict[str, type[Waveform]] = {kind.label: kind for kind in WAVEFORMS.values() if kind.label}
