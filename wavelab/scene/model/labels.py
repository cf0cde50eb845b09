"""A few words on the scene, with an arrow to what they speak of."""

from __future__ import annotations

from dataclasses import dataclass, field

from wavelab.scene.model.about import NAME, about
from wavelab.scene.model.item_error import ItemPath, require
from wavelab.scene.model.shapes import Point

LONGEST_TEXT = 120


@dataclass(frozen=True)
class TextLabel:
    """``text`` beside ``position``, with an arrow from there to ``to`` if that is given."""

    name: str = field(metadata=NAME)
    text: str = field(metadata=about("What is written on the scene"))
    position: Point = field(metadata=about("Where it is, x and y"))
    to: Point | None = field(
        default=None, metadata=about("Where its arrow points, x and y; empty: no arrow")
    )

    @property
    def ends_at_position(self) -> bool:
        """Whether the text stands to the left, for an arrow to the right would run over it."""
        return self.to is not None and self.to[0] > self.position[0]


def check_label(label: TextLabel, item: ItemPath) -> None:
    """
    Raises
    ------
    ItemError : names the label and what would be right.
    """
    what = f'label "{label.name}"'
    require(
        0 < len(label.text) <= LONGEST_TEXT
        and label.text.isprintable()
        and bool(label.text.strip()),
        (*item, "text"),
        f"{what} has no text that can be drawn",
        f"It has 1 to {LONGEST_TEXT} printable characters, on one line.",
    )
    require(
        label.to != label.position,
        (*item, "to"),
        f"{what} has an arrow of no length",
        "Let it lead somewhere else, or leave it out.",
    )
