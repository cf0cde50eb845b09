"""All outlines of a drawing, in one frame of coordinates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path

from wavelab.errors import GeometryError
from wavelab.meshing.outlines.curves import Affine, Line
from wavelab.meshing.outlines.outline import GAP, MOST_CURVES, MOST_DRAWN, Document, Outline
from wavelab.meshing.svg.elements import DRAWN, RELATIVE
from wavelab.meshing.svg.numbers import PIXELS, UnreadableError, transform
from wavelab.meshing.svg.paint import Paint, is_undisplayed, layer_of, style_of
from wavelab.meshing.svg.path_data import BrokenOffError, Subpath
from wavelab.meshing.svg.viewport import Viewport, viewport
from wavelab.meshing.svg.xml_tree import Element, read_xml

SVG = "http://www.w3.org/2000/svg"
#: Groups in groups, with those that copies are in.
_DEEPEST = 200
#: No transform is larger, so that nothing leaves double precision.
_LARGEST = 1e30

_GROUPS = ("g", "a", "switch")
#: What does not draw by itself, and what says nothing about outlines.
_SILENT = frozenset(
    {
        *("defs", "symbol", "clipPath", "mask", "marker", "pattern", "linearGradient"),
        *("radialGradient", "filter", "metadata", "title", "desc", "style", "script", "view"),
        *("cursor", "animate", "animateTransform", "animateMotion", "set"),
    }
)
_USELESS = {
    "text": ("is text, which has no outline of its own", 'Make it a path ("Object to path").'),
    "image": ("is a picture made of pixels", "Trace it to a path, or take it out."),
    "foreignObject": ("is from another language than SVG", "Take it out."),
}
_CUTS = {
    "clip-path": ("is clipped by another shape", "Cut the shape itself, or release the clip."),
    "mask": ("is hidden in part by a mask", "Cut the shape itself, or release the mask."),
    "transform-origin": ("is turned around an origin of its own", "Apply the transform to it."),
}


def read_document(path: Path) -> Document:
    """The outlines in a file.

    Raises
    ------
    GeometryError : it is no SVG, or something that is drawn in it is no outline; names the line,
        the element, and what would be right.
    """
    root = read_xml(path)
    if root.name != "svg" or root.space not in (SVG, ""):
        raise GeometryError(
            f'this is no SVG drawing: its outermost element is "{root.name[:40]}"',
            where=f"{path.name}:{root.line}",
        )
    reader = _Reader(path.name, root)
    pixels, outlines = reader.all()
    notes = tuple(reader.notes)
    width = root.attributes.get("width", "").strip().lower()
    sized = any(width.endswith(unit) for unit in PIXELS if unit not in ("", "px"))
    unit, name = (pixels / PIXELS["mm"], "mm") if sized else (pixels, "px")
    return Document(outlines, unit, name, notes)


class _Reader:
    def __init__(self, name: str, root: Element) -> None:
        self._name = name
        self._root = root
        self._space = root.space
        self.notes: dict[str, None] = {}
        self._drawn = 0
        self._curves = 0
        self._copies: Counter[str] = Counter()
        self._parsed: dict[tuple[Element, tuple[float, float] | None], list[Subpath]] = {}
        self._by_id: dict[str, Element] = {}
        elements: list[Element] = []
        waiting = [root]
        while waiting:
            element = waiting.pop()
            elements.append(element)
            self._by_id.setdefault(element.attributes.get("id", ""), element)
            waiting += reversed(element.children)
        self._reappearing = self._find_reappearing(elements)

    def all(self) -> tuple[float, tuple[Outline, ...]]:
        """Pixels of a unit of the coordinates, and the outlines."""
        root = self._root
        self._check(root)
        view = self._viewport(root, None)
        # In the units of the viewBox, as editors show coordinates, unless they are distorted.
        pixels, start = 1.0, view.inner
        if not start.b:
            pixels, start = abs(start.a), Affine()
        paint = Paint().inside(root)
        found = (self._of(child, start, view, paint, "", 0) for child in root.children)
        return pixels, tuple(chain.from_iterable(found))

    def _find_reappearing(self, elements: list[Element]) -> set[Element]:
        """Those that are, have in them or copy something that is visible in what is hidden."""
        users: dict[Element, list[Element]] = {}
        for element in elements:
            target = self._target(element) if element.name == "use" else None
            for used in [*element.children, *([target] if target is not None else [])]:
                users.setdefault(used, []).append(element)
        found: set[Element] = set()
        unseen = Paint(visible=False)
        waiting = [element for element in elements if unseen.inside(element).visible]
        while waiting:
            element = waiting.pop()
            if element not in found:
                found.add(element)
                waiting += users.get(element, [])
        return found

    def _of(
        self, element: Element, outer: Affine, view: Viewport, paint: Paint, layer: str, depth: int
    ) -> Iterator[Outline]:
        """What an element draws; ``outer`` maps what it is in to the drawing, ``paint`` is how that
        is painted, and ``layer`` what it lies on."""
        name = element.name
        if element.space != self._space or name in _SILENT or is_undisplayed(element):
            return
        paint = paint.inside(element)
        if not paint.visible and (name in DRAWN or element not in self._reappearing):
            return
        if name in _USELESS:
            if name != "text" or element.has_text:
                raise self._error(element, *_USELESS[name])
            return
        if not (name in DRAWN or name in _GROUPS or name in ("use", "svg")):
            # As browsers do.
            self.notes[f"left out {_label(element)}, which is not known"] = None
            return
        self._drawn += 1
        if self._drawn > MOST_DRAWN or depth > _DEEPEST:
            raise self._error(
                element,
                f"is one of more than {MOST_DRAWN:,}, copies of copies among them",
                "Draw less, or make copies real.",
            )
        self._check(element)
        with self._readable(element):
            inner = outer @ transform(element.attributes.get("transform", ""))
        if not inner.within(_LARGEST):
            raise self._error(element, "has transforms that are too large")
        if name in DRAWN:
            yield from self._drawn_by(element, inner, view, paint, layer)
        elif name == "use":
            yield from self._copy(element, inner, view, paint, layer, depth)
        else:
            if name == "svg":
                view = self._viewport(element, view.size)
                inner = inner @ view.inner
            layer = layer_of(element, layer)
            for child in element.children:
                yield from self._of(child, inner, view, paint, layer, depth + 1)

    def _drawn_by(
        self, element: Element, inner: Affine, view: Viewport, paint: Paint, layer: str
    ) -> Iterator[Outline]:
        key = (element, view.size if element.name in RELATIVE else None)
        paths = self._parsed.get(key)
        if paths is None:
            with self._readable(element):
                try:
                    read = DRAWN[element.name](element.attributes, view)
                except BrokenOffError as error:
                    read = error.before
                    if not read:
                        raise
                    self.notes[f"read {_label(element)} up to where {error}"] = None
            # What has no size draws nothing.
            paths = self._parsed[key] = [path for path in read if _size(path)]
        if paths and inner.flattens:
            raise self._error(element, "is flattened to nothing by its transforms")
        for path in paths:
            self._curves += len(path.curves)
            if self._curves > MOST_CURVES:
                raise self._error(
                    element,
                    f"is more than {MOST_CURVES:,} curves, with those before it",
                    'Make the drawing simpler ("Simplify path").',
                )
            curves, begin, end = path.curves, path.start, path.curves[-1].end
            closed = path.closed or abs(end - begin) <= GAP * _size(path)
            if not closed and paint.filled:
                if len(curves) > 1 or not isinstance(curves[0], Line):
                    # A filling closes it (SVG 2, 13.4).
                    curves, closed = [*curves, Line(end, begin)], True
                elif element.name == "path" and not paint.stroked:
                    continue
            moved = tuple(curve.moved(inner) for curve in curves)
            yield Outline(
                moved,
                _label(element),
                self._where(element),
                closed,
                layer,
                paint.colour,
                self._drawn if len(paths) > 1 else None,
                paint.winds,
            )

    def _copy(
        self, element: Element, inner: Affine, view: Viewport, paint: Paint, layer: str, depth: int
    ) -> Iterator[Outline]:
        target = self._target(element)
        if target is None:
            raise self._error(
                element, f'copies "{_link(element)[:40]}", which is not in the drawing'
            )
        if target.name in ("symbol", "svg"):
            target = self._sized(target, element)
        at = {name: element.attributes.get(name, "0") for name in ("x", "y")}
        shift = self._viewport(Element("", "svg", at, element.line), view.size).inner
        self._copies[_link(element)] += 1
        number = self._copies[_link(element)]
        for outline in self._of(target, inner @ shift, view, paint, layer, depth + 1):
            label = outline.label
            if number > 1:
                named = label.endswith('"')
                label = f'{label[:-1]} copy {number}"' if named else f"{label}, copy {number}"
            yield replace(outline, label=label, where=self._where(element))

    def _sized(self, target: Element, use: Element) -> Element:
        """A symbol, or a drawing in the drawing, as a copy of it is drawn (SVG 2, 5.6): with the
        size that the copy says."""
        attributes = dict(target.attributes)
        if target.name == "symbol":
            attributes.update(x="0", y="0")
        for name in ("width", "height"):
            attributes[name] = use.attributes.get(name, attributes.get(name, "100%"))
        sized = replace(target, name="svg", attributes=attributes)
        if target in self._reappearing:
            self._reappearing.add(sized)
        return sized

    def _target(self, element: Element) -> Element | None:
        """What a ``use`` copies, if it is there."""
        link = _link(element)
        return self._by_id.get(link[1:]) if link.startswith("#") and link[1:] else None

    def _viewport(self, element: Element, around: tuple[float, float] | None) -> Viewport:
        with self._readable(element):
            return viewport(element.attributes, around)

    @contextmanager
    def _readable(self, element: Element) -> Iterator[None]:
        """Names the element of which something in the block cannot be read."""
        try:
            yield
        except (UnreadableError, OverflowError) as error:
            raise self._error(element, f"cannot be read: {error}") from None

    def _check(self, element: Element) -> None:
        style = style_of(element)
        for name, (message, remedy) in _CUTS.items():
            value = style.get(name, element.attributes.get(name, "none"))
            if value.strip() not in ("", "none"):
                raise self._error(element, message, remedy)
        if style.get("transform", "none") != "none":
            raise self._error(element, "has a transform in its style", "Make it an attribute.")

    def _where(self, element: Element) -> str:
        return f"{self._name}:{element.line}"

    def _error(self, element: Element, message: str, remedy: str = "") -> GeometryError:
        text = f"{_label(element)} {message}"
        return GeometryError(text, where=self._where(element), remedy=remedy)


def _label(element: Element) -> str:
    """What messages call an element: ``path "wing"``."""
    own = element.attributes.get("id", "")
    return f'{element.name} "{own[:40]}"' if own else f"the {element.name}"


def _link(element: Element) -> str:
    of_xlink = element.attributes.get("http://www.w3.org/1999/xlink href", "")
    return element.attributes.get("href") or of_xlink


def _size(path: Subpath) -> float:
    """How far a path gets from its start."""
    at = (curve.at(t) for curve in path.curves for t in (0.5, 1.0))
    return max((abs(z - path.start) for z in at), default=0.0)
