"""What the sections of a Gmsh file say, and the mesh in it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Indices, Mask
from wavelab.errors import MeshError
from wavelab.meshing.formats.gmsh_curves import curved_sides
from wavelab.meshing.formats.gmsh_kinds import CORNERS, ORDERS, Block
from wavelab.meshing.formats.raw import RawMesh
from wavelab.meshing.formats.records import Rows

#: Dimension of elements with so many corners.
_DIMENSIONS = {1: 0, 2: 1, 3: 2, 4: 2}
#: Physical group of elements that are in none.
NO_GROUP = 0

#: Name of a group that Gmsh made for a partition: numbers of this and of the groups it is part of.
_OF_PARTITION = re.compile(r"_part\{([\d,]+)\}_physical\{(\d{1,9}(?:,\d{1,9})*)\}_dim\{\d\}")


@dataclass
class Content:
    """Filled section by section.

    Attributes
    ----------
    names : physical names by (dimension, group).
    node_tags : (n,); points : (n, 3).
    """

    names: dict[tuple[int, int], str] = field(default_factory=dict)
    node_tags: Indices = field(default_factory=lambda: np.zeros(0, np.int64))
    points: Array = field(default_factory=lambda: np.zeros((0, 3)))
    blocks: list[Block] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def name(self, dimension: int, group: int) -> str:
        """Of a physical group; its number if it has none."""
        return self.names.get((dimension, group), str(group))

    def whole_group(self, dimension: int, group: int) -> int:
        """The group that one which Gmsh made for a single partition is a part of; itself if it was
        not made so, and no group if it is that of nothing or of where partitions meet."""
        made = _OF_PARTITION.fullmatch(self.names.get((dimension, group), ""))
        if made is None:
            return group
        # Where partitions meet, the number is that of a group of surfaces.
        return NO_GROUP if dimension < 2 and "," in made[1] else max(map(int, made[2].split(",")))


def to_raw(content: Content, where: str) -> RawMesh:
    """Corners, regions and boundary names; regions in ascending order of their group."""
    if any(len(block.tags) and block.kind not in CORNERS for block in content.blocks):
        raise MeshError(
            "the file has volume elements",
            where=where,
            remedy="wavelab is two-dimensional: save surfaces only.",
        )
    content = _without_partitions(content)
    order = np.arange(len(content.node_tags))
    if (content.node_tags[1:] <= content.node_tags[:-1]).any():
        order = np.argsort(content.node_tags, kind="stable")
    order = order[~_is_midside(content)[order]]
    tags = content.node_tags[order]
    points = Rows(tags)
    if (again := points.repeated) is not None:
        raise MeshError(f"node {tags[again]} is there twice", where=where)

    lines, line_groups = _corners(content, 2, points, where)
    triangles, groups = _corners(content, 3, points, where)
    quadrangles, quadrangle_groups = _corners(content, 4, points, where)
    all_groups = np.concatenate([groups, quadrangle_groups])
    region_names, labels = _labels(content, 2, all_groups)
    face_names, line_labels = _labels(content, 1, line_groups)
    # Lines in no physical group name nothing.
    named = line_groups != NO_GROUP
    return RawMesh(
        points=content.points[order],
        triangles=triangles,
        regions=labels[: len(triangles)],
        region_names=region_names,
        lines=lines[named],
        line_labels=line_labels[named],
        face_names=face_names,
        quadrangles=quadrangles,
        quadrangle_regions=labels[len(triangles) :],
        curved_sides=curved_sides(
            content.blocks, points, Rows(content.node_tags), content.points, where
        ),
        notes=tuple(content.notes),
    )


def _without_partitions(content: Content) -> Content:
    """The same with the groups that Gmsh made for single partitions taken for those they are of."""
    whole = {key: content.whole_group(*key) for key in content.names}
    made = {key: group for key, group in whole.items() if key[1] != group}
    if not made:
        return content
    blocks = []
    for block in content.blocks:
        groups = block.groups.copy()
        for (dimension, group), of in made.items():
            if dimension == _DIMENSIONS[CORNERS[block.kind]]:
                groups[block.groups == group] = of
        blocks.append(replace(block, groups=groups))
    names = {key: name for key, name in content.names.items() if key not in made}
    return replace(content, names=names, blocks=blocks)


def _is_midside(content: Content) -> Mask:
    """(n,) nodes that are no corner of any element, but on an edge or inside of one."""
    if all(ORDERS.get(block.kind, 1) <= 1 for block in content.blocks):
        return np.zeros(len(content.node_tags), dtype=bool)
    corners, others = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for block in content.blocks:
        count = CORNERS.get(block.kind, 3)
        corners.append(block.nodes[:, :count].ravel())
        others.append(block.nodes[:, count:].ravel())
    midside = np.setdiff1d(np.concatenate(others), np.concatenate(corners))
    return np.isin(content.node_tags, midside)


def _corners(content: Content, corners: int, points: Rows, where: str) -> tuple[Indices, Indices]:
    """Point numbers (n, corners) and groups (n,) of elements with so many corners, by tag."""
    blocks = [block for block in content.blocks if CORNERS.get(block.kind) == corners]
    if not blocks:
        return np.zeros((0, corners), np.int64), np.zeros(0, np.int64)
    nodes = np.concatenate([block.nodes[:, :corners] for block in blocks])
    groups = np.concatenate([block.groups for block in blocks])
    element_tags = np.concatenate([block.tags for block in blocks])
    place, there = points.find(nodes)
    if not there.all():
        raise MeshError(
            f"an element names node {int(nodes[~there][0])}, which is not in the file", where=where
        )
    if (element_tags[1:] >= element_tags[:-1]).all():
        return place, groups
    order = np.argsort(element_tags, kind="stable")
    return place[order], groups[order]


def _values(groups: Indices) -> list[int]:
    """Those that there are; mostly there is but one."""
    alike = len(groups) and groups.min() == groups.max()
    return np.unique(groups[:1] if alike else groups).tolist()


def _labels(
    content: Content, dimension: int, groups: Indices
) -> tuple[tuple[str, ...], NDArray[np.int32]]:
    """Names of one dimension, in ascending order of their group, and the index of each element."""
    declared = {group for d, group in content.names if d == dimension}
    present = sorted(declared | set(_values(groups)) - {NO_GROUP})
    name_of = {group: content.name(dimension, group) for group in present}
    if dimension == 2 and (not present or (groups == NO_GROUP).any()):
        name_of = {NO_GROUP: "background", **name_of}
    names = tuple(dict.fromkeys(name_of.values()))
    lookup = {group: names.index(name) for group, name in name_of.items()}
    if len(groups) and groups.min() == groups.max():
        return names, np.full(len(groups), lookup.get(int(groups[0]), 0), dtype=np.int32)
    values, inverse = np.unique(groups, return_inverse=True)
    found = np.array([lookup.get(group, 0) for group in values.tolist()], dtype=np.int32)
    return names, found[inverse.reshape(-1)] if len(found) else np.zeros(0, np.int32)
