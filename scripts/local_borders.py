"""Where meshes with local time steps are cut: how many faces between ranks are of fast elements.

    python -m scripts.local_borders

The mesh is that of ``wavelab bench --local``, with nests of small triangles.  Beside it, how METIS
would cut it if all faces counted the same.
"""

from __future__ import annotations

import argparse

import numpy as np

from wavelab.benchmark.local_steps import in_clusters
from wavelab.benchmark.meshes import square_mesh, with_small_elements
from wavelab.benchmark.stages import conducting_room
from wavelab.numerics.mesh.partitioning import partitioned
from wavelab.physics.subdomains import partition
from wavelab.physics.subdomains.partition import costs, subdomains
from wavelab.physics.time.local_stepping import local_clusters


def main() -> None:
    """Print a line for each number of ranks and each way to weigh faces."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--elements", type=int, default=10_000)
    parser.add_argument("--order", type=int, default=3)
    parser.add_argument("--ranks", type=int, nargs="*", default=(2, 4, 8))
    given = parser.parse_args()
    operator, _, _ = conducting_room(with_small_elements(square_mesh(given.elements)), given.order)
    operator, clusters = in_clusters(operator, local_clusters(operator)[0])
    d = operator.discretization
    print(f"{d.n_elements:,} elements in clusters of {clusters.counts}")
    print("ranks  faces weigh        cut  of fast elements  most work over mean")
    cost, levels = costs(d, (), clusters), clusters.levels
    for n_ranks in given.ranks:
        for name, cut in (("as they are asked", partitioned), ("the same", _without_ties)):
            partition.partitioned = cut
            parts = subdomains(d, (), n_ranks, clusters)
            fastest = np.concatenate(
                [_levels_at_border(d.connectivity.neighbor_element, levels, p) for p in parts]
            )
            work = [cost[part.mine].sum() for part in parts]
            print(
                f"{n_ranks:5}  {name:17} {len(fastest) // 2:4} "
                f"{int((fastest < clusters.n_levels - 1).sum()) // 2:17} "
                f"{max(work) / np.mean(work):20.3f}"
            )


def _without_ties(*given: object) -> np.ndarray:
    return partitioned(*given[:-1])


def _levels_at_border(neighbors, levels, part: partition.Subdomain) -> np.ndarray:
    """(n,) of each face that is cut the level of the faster element."""
    found = [np.zeros(0, np.int64)]
    for elements, faces in part.sends.values():
        own = part.elements[elements]
        found.append(np.minimum(levels[own], levels[neighbors[own, faces]]))
    return np.concatenate(found)


if __name__ == "__main__":
    main()
