"""The geometric entities of Gmsh's files of version 4, to which their elements belong."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from wavelab.meshing.formats.gmsh_content import Content
from wavelab.meshing.formats.numbers import BinaryNumbers, TextNumbers

#: Dimension and tag.
Entity = tuple[int, int]


@dataclass
class Entities:
    """Filled by the sections $Entities and $PartitionedEntities.

    Attributes
    ----------
    groups : physical groups of each.
    parents : what each of a partitioned mesh is a part of, or, of lines that part two partitions,
        lies in.
    partitions : those that each belongs to; n_partitions : of the whole mesh.
    ghosts : tags of those that hold, beside a partition, elements of its neighbours.
    meshed : those that have elements.
    """

    groups: dict[Entity, list[int]] = field(default_factory=dict)
    parents: dict[Entity, Entity] = field(default_factory=dict)
    partitions: dict[Entity, list[int]] = field(default_factory=dict)
    n_partitions: int = 0
    ghosts: set[int] = field(default_factory=set)
    meshed: set[Entity] = field(default_factory=set)

    def read(self, numbers: TextNumbers | BinaryNumbers, *, is_old: bool) -> None:
        """The section $Entities, of version 4.0 if ``is_old``."""
        self._read(numbers, is_old=is_old, partitioned=False)

    def read_partitioned(self, numbers: TextNumbers | BinaryNumbers, *, is_old: bool) -> None:
        """The section $PartitionedEntities."""
        self.n_partitions = _count(numbers)
        self.ghosts.update(numbers.integers(2 * _count(numbers))[::2].tolist())
        self._read(numbers, is_old=is_old, partitioned=True)

    def _read(
        self, numbers: TextNumbers | BinaryNumbers, *, is_old: bool, partitioned: bool
    ) -> None:
        counts = numbers.integers(4, 8).tolist()
        for dimension, count in enumerate(counts):
            # A point has a place, everything else (in 4.0 the point, too) a bounding box.
            extent = 3 if dimension == 0 and not is_old else 6
            for _ in range(count):
                entity = dimension, int(numbers.integers(1)[0])
                if partitioned:
                    parent_dimension, parent = numbers.integers(2).tolist()
                    self.parents[entity] = parent_dimension, parent
                    self.partitions[entity] = numbers.integers(_count(numbers)).tolist()
                numbers.reals(extent)
                self.groups[entity] = np.abs(numbers.integers(_count(numbers))).tolist()
                if dimension > 0:
                    numbers.integers(_count(numbers))

    def groups_of(self, entity: Entity, content: Content) -> list[int]:
        """Physical groups of an entity, or else of what it is a part of."""
        dimension = entity[0]
        own = [
            group
            for group in self.groups.get(entity, [])
            if content.whole_group(dimension, group) == group
        ]
        parent = self.parents.get(entity)
        if own or parent is None or parent[0] != dimension:
            return own
        return self.groups.get(parent, [])

    def whole(self, entity: Entity) -> Entity:
        """What an entity is a part of; itself if it is none."""
        return self.parents.get(entity, entity)

    def is_ghost(self, entity: Entity) -> bool:
        """Whether it holds elements of neighbouring partitions, which are not this one's."""
        return entity[1] in self.ghosts and entity not in self.groups

    def missing(self) -> str:
        """What is told of surfaces without elements; "" of none."""
        present = {p for entity in self.meshed if entity[0] == 2
                   for p in self.partitions.get(entity, [])}  # fmt: skip
        if present and len(present) < self.n_partitions:
            some = "partition " if len(present) == 1 else "partitions "
            some += ", ".join(map(str, sorted(present)))
            return f"the file has {some} of {self.n_partitions} alone, and so has the domain"
        # Gmsh saves nothing but physical groups once there is one, which is easily forgotten.
        surfaces = sorted({self.whole(entity) for entity in self.groups if entity[0] == 2})
        meshed = {self.whole(entity) for entity in self.meshed}
        missing = [tag for dimension, tag in surfaces if (dimension, tag) not in meshed]
        if not missing or len(missing) == len(surfaces):
            return ""
        return (
            f"{len(missing)} of {len(surfaces)} surfaces have no triangles in the file "
            f"(surface {missing[0]}, for one): were they in no physical group when it was "
            "saved?"
        )


def _count(numbers: TextNumbers | BinaryNumbers) -> int:
    return int(numbers.integers(1, 8)[0])
