"""How the field is shown: one frozen value, changed by replacing it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from wavelab.output.palette import (
    DEFAULT_DIVERGING,
    DEFAULT_SEQUENTIAL,
    PALETTES,
    USUAL_PALETTES,
)
from wavelab.scene.model.view import View
from wavelab.scene.view.quantities import QUANTITIES, Quantity
from wavelab.simulation.views.views import fixed_limit, shown_decades


@dataclass(frozen=True)
class ViewState:
    """Attributes
    ----------
    quantity : key of ``QUANTITIES``.
    diverging, sequential : palettes for quantities with and without a sign.
    limit : value at full colour; None follows the field.
    robust : whether it then follows most of the wave, or else its brightest spot.
    arrows : key of ``ARROWS``.
    relief : azimuth and elevation of the height view; None for the flat one.
    others : fixed limits of quantities that were looked at before.
    decades : powers of ten below full colour on a logarithmic scale; None for a linear one.
    """

    quantity: str = "ez"
    diverging: str = DEFAULT_DIVERGING
    sequential: str = DEFAULT_SEQUENTIAL
    limit: float | None = None
    robust: bool = True
    arrows: str = "none"
    decades: int | None = None
    relief: tuple[float, float] | None = None
    others: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of_scene(cls, view: View, theme: str = "dark", *, robust: bool = True) -> ViewState:
        """What a scene file asks for; its palette goes to the kind of quantity it suits, and the
        usual one is that of the theme.  What an automatic range follows is the user's to choose."""
        state = cls(
            quantity=view.quantity,
            limit=view.limit,
            robust=robust,
            arrows=view.arrows,
            decades=view.decades,
            relief=view.relief,
        ).in_theme(theme)
        usual = view.palette in USUAL_PALETTES["dark"]
        return state if usual else state.with_palette(view.palette)

    @property
    def shown(self) -> Quantity:
        """What is known of the quantity."""
        return QUANTITIES[self.quantity]

    @property
    def palette(self) -> str:
        return self.palette_for(signed=self.shown.signed)

    def palette_for(self, *, signed: bool) -> str:
        """That of quantities with a sign, or without."""
        return self.diverging if signed else self.sequential

    @property
    def full_colour(self) -> float | None:
        """The value at full colour, None if it follows the field."""
        return fixed_limit(self.quantity, self.limit)

    def with_quantity(self, quantity: str) -> ViewState:
        """Another quantity, with the limit that it had: that of the old one means nothing for
        it, and is kept until that is looked at again."""
        if quantity == self.quantity:
            return self
        others = dict(self.others)
        limit = others.pop(quantity, None)
        if self.limit is not None:
            others[self.quantity] = self.limit
        return replace(self, quantity=quantity, limit=limit, others=others)

    def in_theme(self, theme: str) -> ViewState:
        """The usual palettes of one theme become those of another; any other stays."""
        diverging, sequential = USUAL_PALETTES[theme]
        usual = {name for names in USUAL_PALETTES.values() for name in names}
        return replace(
            self,
            diverging=diverging if self.diverging in usual else self.diverging,
            sequential=sequential if self.sequential in usual else self.sequential,
        )

    def with_palette(self, name: str) -> ViewState:
        if PALETTES[name].diverging:
            return replace(self, diverging=name)
        return replace(self, sequential=name)

    def with_limit(self, limit: float | None) -> ViewState:
        return replace(self, limit=limit)

    def with_limit_of(self, quantity: str, limit: float) -> ViewState:
        """The limit of a quantity, which may be another than the one on show."""
        if quantity == self.quantity:
            return self.with_limit(limit)
        return replace(self, others={**self.others, quantity: limit})

    @property
    def shown_decades(self) -> int | None:
        """Those of the scale on show, which may be the quantity's own."""
        return shown_decades(self.quantity, self.decades)

    def toggled_scale(self) -> ViewState:
        """A logarithmic scale of the usual length, or a linear one."""
        return replace(self, decades=self.shown.decades if self.decades is None else None)

    def as_view(self) -> View:
        """What a saved scene stores."""
        return View(self.quantity, self.palette, self.limit, self.arrows, self.decades, self.relief)
