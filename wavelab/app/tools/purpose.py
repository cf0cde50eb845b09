"""What a drawn shape becomes: a new domain, or an obstacle or a material in the present one."""

from __future__ import annotations

from collections.abc import Callable

from wavelab.app.base.refusal import Refusal
from wavelab.scene.model.shapes import Shape

#: What a shape can become -> the words for it; an obstacle is a hole in the scene file.
NAMES = {"domain": "a new domain", "hole": "an obstacle", "material": "a material region"}


class Purpose:
    """The wish, and what it means for a shape.

    Parameters
    ----------
    wish : what a shape is to become, or "automatic".
    inside : whether a shape lies within the present domain and could be cut out of it; with
        "automatic" it then becomes an obstacle, and a new domain otherwise.
    changed : called after :meth:`switch`.
    """

    def __init__(
        self,
        wish: str = "automatic",
        *,
        inside: Callable[[Shape], bool] = lambda _: False,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self.wish = wish
        self._inside = inside
        self._changed = changed

    def of(self, shape: Shape) -> str:
        """ "domain", "hole" or "material": what ``shape`` becomes."""
        if self.wish != "automatic":
            return self.wish
        return "hole" if self._inside(shape) else "domain"

    def switch(self, shape: Shape) -> None:
        """Wish for the other thing."""
        self.wish = "domain" if self.of(shape) == "hole" else "hole"
        self._changed()

    @property
    def switchable(self) -> bool:
        """Whether there is another thing to wish for."""
        return True

    def name(self, shape: Shape) -> str:
        """What ``shape`` becomes, in words."""
        return NAMES[self.of(shape)]

    def refusal(self, shape: Shape) -> Refusal | None:
        """Why ``shape`` cannot become that, as far as can be told while it is drawn."""
        return None

    def becomes(self, shape: Shape) -> str:
        """What the hint says of a shape that could be finished now."""
        kind = self.of(shape)
        other = "domain" if kind == "hole" else "hole"
        return f"becomes {NAMES[kind]} (Tab: {NAMES[other]})"

    @property
    def announcement(self) -> str:
        """What the hint says before anything is drawn."""
        if self.wish == "automatic":
            return "within the domain an obstacle, else a new domain"
        return f"it becomes {NAMES[self.wish]}"


class FixedPurpose(Purpose):
    """One thing whatever the shape.

    Parameters
    ----------
    noun : returns what it becomes, in words.
    refused : why a shape cannot become that.
    """

    def __init__(self, noun: Callable[[], str], refused: Callable[[Shape], Refusal | None]) -> None:
        super().__init__()
        self._noun = noun
        self._refused = refused

    @property
    def switchable(self) -> bool:
        return False

    def name(self, shape: Shape) -> str:
        return self._noun()

    def refusal(self, shape: Shape) -> Refusal | None:
        return self._refused(shape)

    def becomes(self, shape: Shape) -> str:
        return f"becomes {self._noun()}"

    @property
    def announcement(self) -> str:
        return f"it becomes {self._noun()}"
