"""A waveform that is typed."""

from __future__ import annotations

from dataclasses import dataclass, field

from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.about import about
from wavelab.scene.model.item_error import ItemPath, check_variables
from wavelab.scene.model.sending.waveform import TimeFunction, Waveform


@dataclass(frozen=True)
class FormulaWaveform(Waveform):
    """Any typed formula of t."""

    formula: Formula = field(
        metadata=about("What the source does in time, a formula of t", variables=("t",))
    )

    def check(self, item: ItemPath, what: str) -> None:
        check_variables(self.formula, (*item, "formula"), ("t",))

    def function(self) -> TimeFunction:
        return TimeFunction(self.formula)
