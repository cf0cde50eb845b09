"""What is painted of an element: whether it is seen, filled and stroked, and on what layer."""

from __future__ import annotations

import re
from dataclasses import dataclass

from wavelab.meshing.svg.xml_tree import Element

_INKSCAPE = "http://www.inkscape.org/namespaces/inkscape"


@dataclass(frozen=True)
class Paint:
    """How something is painted, as what is in it inherits it; ``fill`` and ``stroke`` as a drawing
    writes colours, "none" for none, and ``winds`` as of :class:`Outline`."""

    visible: bool = True
    fill: str = "black"
    stroke: str = "none"
    winds: bool = True

    @property
    def filled(self) -> bool:
        return self.fill != "none"

    @property
    def stroked(self) -> bool:
        return self.stroke != "none"

    @property
    def colour(self) -> str:
        """That of the filling, or else of the line, "#rrggbb" where it is written as numbers."""
        return _plain_colour(self.fill if self.filled else self.stroke)

    def inside(self, element: Element) -> Paint:
        """Of what is in something that is painted so."""
        return Paint(
            {"visible": True, "hidden": False, "collapse": False}.get(
                _property(element, "visibility"), self.visible
            ),
            self._inherited("fill", element),
            self._inherited("stroke", element),
            {"nonzero": True, "evenodd": False}.get(_property(element, "fill-rule"), self.winds),
        )

    def _inherited(self, name: str, element: Element) -> str:
        own = _property(element, name)
        before: str = getattr(self, name)
        return before if own in ("", "inherit") else own


def style_of(element: Element) -> dict[str, str]:
    """The properties in its ``style``, without "!important"."""
    pairs = (rule.partition(":") for rule in element.attributes.get("style", "").split(";"))
    return {name.strip(): value.partition("!")[0].strip() for name, _, value in pairs}


def is_undisplayed(element: Element) -> bool:
    """Whether it is left out with all that is in it."""
    return _property(element, "display") == "none"


def layer_of(element: Element, around: str) -> str:
    """What is drawn in a group lies on: a layer of Inkscape, the innermost, or else the outermost
    group with a name, which other editors make of layers."""
    label = element.attributes.get(f"{_INKSCAPE} label", "")
    if element.attributes.get(f"{_INKSCAPE} groupmode") == "layer":
        return label or element.attributes.get("id", "")
    return around or label or element.attributes.get("id", "")


def _property(element: Element, name: str) -> str:
    """What its style says, or else its attribute; "" if neither does."""
    return style_of(element).get(name, element.attributes.get(name, "")).strip()


def _plain_colour(text: str) -> str:
    """A colour in one of its notations, the same for all: "#ff0000", or its name."""
    text = text.lower()
    if short := re.fullmatch("#([0-9a-f])([0-9a-f])([0-9a-f])", text):
        return "#" + "".join(2 * digit for digit in short.groups())
    if numbers := re.fullmatch(r"rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)", text):
        return "#" + "".join(f"{min(int(n), 255):02x}" for n in numbers.groups())
    return {"none": "", "black": "#000000", "white": "#ffffff"}.get(text, text[:40])
