"""What should be known of the contour of a far field: what it does not go round.

The far field is that of all sources inside, primary or induced (Huygens' principle): what is
outside of the contour, or half inside, is missing from it although the scene has it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from wavelab.arrays import Array, Mask
from wavelab.numerics.mesh.polygon import inside_polygon
from wavelab.scene.model.medium import Medium
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.shapes import Shape

#: Of one kind so many are named.
_NAMED = 3


@dataclass(frozen=True, eq=False)
class _Thing:
    """Something that sends or scatters.

    Attributes
    ----------
    points : (n, 2) where it is, or its rim.
    inside : (n,) which of them lie inside the contour.
    """

    label: str
    points: Array
    inside: Mask

    @property
    def outside(self) -> bool:
        return not self.inside.any()


def contour_notices(scene: Scene, ring: Array, name: str) -> tuple[str, ...]:
    """Sentences for the user.

    Parameters
    ----------
    ring : (n, 2) vertices of the contour of the far field ``name``, the first not repeated.
    """

    def thing(label: str, points: Array) -> _Thing:
        return _Thing(label, points, inside_polygon(ring, points))

    def things(label: str, shape: Shape) -> list[_Thing]:
        found = [thing(label, _rim(part, size)) for part in shape.parts()]
        some = any(not each.outside for each in found)
        return [replace(each, label=f"a part of {label}") for each in found] if some else found

    size = scene.solver.element_size
    # A region of the same medium may be drawn for the mesh alone.
    around = _around(scene, ring, size)
    places = [(s.what, s.places(size)) for s in scene.sources]
    sources = [thing(label, points) for label, points in places if len(points)]
    bodies = [body for h in scene.holes for body in things(f'obstacle "{h.name}"', h.shape)]
    bodies += [
        body
        for m in scene.materials
        if m.shape is not None and m.material != around
        for body in things(f'material "{m.name}"', m.shape)
    ]
    known = scene.outline is not None and len(sources) == len(scene.sources)
    if known and all(each.outside for each in (*sources, *bodies)):
        return (
            f'nothing that sends or scatters lies inside the contour of monitor "{name}": its far '
            "field is 0",
        )
    # A body that the contour lies in is what is taken to go on for ever.
    missed = [
        body.label
        for body in bodies
        if body.outside and not inside_polygon(body.points, ring[:1])[0]
    ]
    missed += _surroundings(scene, ring, size)
    missed = list(dict.fromkeys(missed))
    return (*_about_sources(sources, name), *_about_bodies(missed, name))


def _about_sources(sources: list[_Thing], name: str) -> Iterator[str]:
    # Lines and regions of current; bodies that are cut are other media, and refused.
    if cut := [s.label for s in sources if not s.outside and not s.inside.all()]:
        yield (
            f'the contour of monitor "{name}" cuts through {_listed(cut)}; it must run round all '
            "that sends"
        )
    if out := [s.label for s in sources if s.outside]:
        it = "it" if len(out) == 1 else "them"
        yield (
            f'{_lies(out)} outside the contour of monitor "{name}", whose far field is without {it}'
        )


def _about_bodies(missed: list[str], name: str) -> Iterator[str]:
    if missed:
        they = "it scatters" if len(missed) == 1 else "they scatter"
        yield (
            f'{_lies(missed)} outside the contour of monitor "{name}", whose far field is without '
            f"what {they}"
        )


def _around(scene: Scene, ring: Array, size: float) -> Medium:
    """What the contour lies in, as far as it is drawn."""
    around = scene.background
    for m in scene.materials:
        parts = () if m.shape is None else m.shape.parts()
        if any(inside_polygon(_rim(part, size), ring[:1])[0] for part in parts):
            around = m.material
    return around


def _surroundings(scene: Scene, ring: Array, size: float) -> list[str]:
    """What is outside although nobody drew it: the background around the material that the contour
    lies in, and walls that send waves back."""
    found = []
    if _around(scene, ring, size) != scene.background:
        found.append("the background")
    if scene.outline is not None:
        edges = scene.outline.edge_names()
        lets_pass = {
            edge
            for wall in scene.walls
            if wall.matched or wall.pml
            for named in wall.edges
            for edge in (edges if named == "domain" else [named.removeprefix("domain.")])
        }
        left = [edge for edge in edges if edge not in lets_pass]
        if len(left) == len(edges):
            found.append("the edge of the domain")
        else:
            found += [f'the wall "domain.{edge}"' for edge in left]
    return found


def _lies(labels: list[str]) -> str:
    return f"{_listed(labels)} {'lies' if len(labels) == 1 else 'lie'}"


def _listed(labels: list[str]) -> str:
    named, more = labels[:_NAMED], len(labels) - _NAMED
    if more > 0:
        named.append(f"{more} more")
    return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"


def _rim(shape: Shape, size: float) -> Array:
    return shape.outline(size)[0]
