"""A current density everywhere."""

from __future__ import annotations

from dataclasses import dataclass, field

from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.about import about
from wavelab.scene.model.item_error import ItemPath, check_variables
from wavelab.scene.model.scene import SPACE_AND_TIME, Scene
from wavelab.scene.model.sending.emissions import CurrentFormula, Emission
from wavelab.scene.model.sending.source import Source


@dataclass(frozen=True)
class CurrentSource(Source):
    """Current density Jz everywhere, as a formula of x, y and t."""

    jz: Formula = field(
        metadata=about(
            "Current density everywhere, a formula of x, y and t", variables=SPACE_AND_TIME
        )
    )

    def check(self, scene: Scene, item: ItemPath) -> None:
        check_variables(self.jz, (*item, "jz"), SPACE_AND_TIME)

    def emissions(self) -> tuple[Emission, ...]:
        return (CurrentFormula(self.jz),)
