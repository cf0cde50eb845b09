"""The elements of an XML file, harmless whatever is in it.

Entities are refused where they are declared, nothing is fetched from anywhere, and size, number and
depth of elements have limits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn
from xml.parsers import expat

from wavelab.errors import GeometryError
from wavelab.meshing.outlines.outline import drawing_bytes

MOST_ELEMENTS = 100_000
DEEPEST = 100


@dataclass(eq=False)
class Element:
    """``space`` is the namespace of ``name``; attributes have theirs before a blank."""

    space: str
    name: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)
    has_text: bool = False


def read_xml(path: Path) -> Element:
    """The root element of a file.

    Raises
    ------
    GeometryError : it cannot be read, is no XML, or is beyond a limit.
    """
    content = drawing_bytes(path)
    if content.startswith(b"\x1f\x8b"):
        raise GeometryError(
            "the drawing is compressed",
            where=path.name,
            remedy="Save it as plain SVG, not as svgz.",
        )
    return _Builder(path.name).tree(content)


class _Builder:
    """Makes elements of what the parser tells."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._open: list[Element] = []
        self._root: Element | None = None
        self._count = 0
        parser = self._parser = expat.ParserCreate(namespace_separator=" ")
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.EntityDeclHandler = self._entity
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)

    def tree(self, content: bytes) -> Element:
        try:
            self._parser.Parse(content, True)
        except expat.ExpatError as error:
            raise GeometryError(
                f"this is not XML: {expat.errors.messages[error.code]}",
                where=f"{self._name}:{error.lineno}",
                remedy="An SVG drawing is a text in XML.",
            ) from None
        except (LookupError, ValueError):  # of an encoding that Python does not know
            self._refuse("the text has an encoding that is not known", "Save it as UTF-8.")
        assert self._root is not None  # expat finds files without any element wrong
        return self._root

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if self._count > MOST_ELEMENTS:
            self._refuse(
                f"the drawing has more than {MOST_ELEMENTS:,} elements",
                "Leave out what is no outline.",
            )
        if len(self._open) >= DEEPEST:
            self._refuse(
                f"elements are nested more than {DEEPEST} deep", "Ungroup what is in the drawing."
            )
        space, _, name = tag.rpartition(" ")
        element = Element(space, name, attributes, self._parser.CurrentLineNumber)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self._root = element
        self._open.append(element)

    def _end(self, tag: str) -> None:
        child = self._open.pop()
        if self._open:
            self._open[-1].has_text |= child.has_text

    def _text(self, text: str) -> None:
        if re.search(r"\S", text):
            self._open[-1].has_text = True

    def _entity(self, name: str, *_: object) -> None:
        self._refuse(
            f"the drawing declares an entity, {name[:40]!r}", 'Save it as "plain SVG" without any.'
        )

    def _refuse(self, message: str, remedy: str) -> NoReturn:
        line = self._parser.CurrentLineNumber
        raise GeometryError(message, where=f"{self._name}:{line}", remedy=remedy)
