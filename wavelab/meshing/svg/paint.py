"""What is painted of an element: whether it is seen, filled and stroked."""

from __future__ import annotations

from dataclasses import dataclass

from wavelab.meshing.svg.xml_tree import Element


@dataclass(frozen=True)
class Paint:
    """How something is painted, as what is in it inherits it."""

    visible: bool = True
    filled: bool = True
    stroked: bool = False

    def inside(self, element: Element) -> Paint:
        """Of what is in something that is painted so."""
        return Paint(
            {"visible": True, "hidden": False, "collapse": False}.get(
                _property(element, "visibility"), self.visible
            ),
            {"none": False, "": self.filled, "inherit": self.filled}.get(
                _property(element, "fill"), True
            ),
            {"none": False, "": self.stroked, "inherit": self.stroked}.get(
                _property(element, "stroke"), True
            ),
        )


def style_of(element: Element) -> dict[str, str]:
    """The properties in its ``style``, without "!important"."""
    pairs = (rule.partition(":") for rule in element.attributes.get("style", "").split(";"))
    return {name.strip(): value.partition("!")[0].strip() for name, _, value in pairs}


def is_undisplayed(element: Element) -> bool:
    """Whether it is left out with all that is in it."""
    return _property(element, "display") == "none"


def _property(element: Element, name: str) -> str:
    """What its style says, or else its attribute; "" if neither does."""
    return style_of(element).get(name, element.attributes.get(name, "")).strip()
