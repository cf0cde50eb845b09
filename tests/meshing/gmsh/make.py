"""Make the Gmsh files beside this one: ``python make.py .`` with Gmsh's Python module (4.15)."""

import shutil
import sys
import tempfile
from pathlib import Path

import gmsh

VERSIONS = (2.2, 4.0, 4.1)


def model(groups: str, order: int = 1, *, quadrangles: bool = False) -> None:
    """Mesh the rectangle [0, 2] x [0, 1], in two halves that share x = 1."""
    gmsh.clear()
    geo = gmsh.model.geo
    corners = ((0, 0), (1, 0), (2, 0), (2, 1), (1, 1), (0, 1))
    points = [geo.addPoint(x, y, 0, 0.4) for x, y in corners]
    rim = [geo.addLine(points[i], points[(i + 1) % 6]) for i in range(6)]
    bottom_1, bottom_2, right, top_2, top_1, left = rim
    middle = geo.addLine(points[1], points[4])
    one = geo.addPlaneSurface([geo.addCurveLoop([bottom_1, middle, top_1, left])])
    two = geo.addPlaneSurface([geo.addCurveLoop([bottom_2, right, top_2, -middle])])
    geo.synchronize()
    group = gmsh.model.addPhysicalGroup
    if groups == "named":
        group(0, [points[0]], 1, "corner")
        group(1, [left], 11, "left wall")
        group(1, [right], 12, "right wall")
        group(1, [bottom_1, bottom_2, top_1, top_2], 13, "long walls")
        group(1, [middle], 14, "interface")
        group(2, [one], 21, "air")
        group(2, [two], 22, "glass")
    elif groups == "overlapping":
        group(2, [one, two], 21, "all")
        group(2, [two], 22, "glass")
    elif groups == "partial":
        group(2, [two], 22, "glass")
    elif groups == "unnamed":
        group(2, [one], 5)
        group(2, [two], 7)
        group(1, [left], 3)
    if quadrangles:
        for surface in (one, two):
            gmsh.model.mesh.setTransfiniteSurface(surface)
        gmsh.model.mesh.setRecombine(2, one)
    gmsh.model.mesh.generate(2)
    gmsh.model.mesh.setOrder(order)


def save(path: Path, version: float, *, binary: bool = False) -> None:
    gmsh.option.setNumber("Mesh.MshFileVersion", version)
    gmsh.option.setNumber("Mesh.Binary", binary)
    gmsh.write(str(path))


def save_partitioned(folder: Path) -> None:
    """The named model in three partitions: with lines where they meet, ghost elements and groups of
    their own; whole, and the second one alone."""
    for groups in (1, 0):
        model("named")
        for option in ("CreateTopology", "CreateGhostCells"):
            gmsh.option.setNumber(f"Mesh.Partition{option}", 1)
        gmsh.option.setNumber("Mesh.PartitionCreatePhysicals", groups)
        # By default Gmsh thinks of its version 2 and makes none.
        gmsh.option.setNumber("Mesh.PartitionOldStyleMsh2", 0 if groups else 1)
        gmsh.model.mesh.partition(3)
        for version in VERSIONS if groups else (4.1,):
            name = f"partitioned_{version}_{'groups' if groups else 'parents'}.msh"
            save(folder / name, version, binary=version == 4.1)
    gmsh.option.setNumber("Mesh.PartitionSplitMeshFiles", 1)
    with tempfile.TemporaryDirectory() as other:
        save(Path(other) / "part_4.1.msh", 4.1)
        shutil.copy(Path(other) / "part_4.1_2.msh", folder / "one_partition_4.1.msh")


def main(folder: Path) -> None:
    gmsh.initialize()
    gmsh.option.setNumber("General.Verbosity", 1)
    for version in VERSIONS:
        model("named")
        save(folder / f"named_{version}_text.msh", version)
        if version != 4.0:  # which Gmsh writes as text only
            save(folder / f"named_{version}_binary.msh", version, binary=True)
        model("overlapping")
        save(folder / f"overlapping_{version}.msh", version)
        model("partial")
        save(folder / f"partial_{version}.msh", version)
    model("none")
    save(folder / "none_4.1.msh", 4.1)
    save(folder / "none_2.2.msh", 2.2)
    model("unnamed")
    save(folder / "unnamed_4.1.msh", 4.1)
    model("named", order=2)
    save(folder / "order2_4.1.msh", 4.1)
    model("named", quadrangles=True)
    save(folder / "quadrangles_4.1.msh", 4.1)
    save_partitioned(folder)
    gmsh.finalize()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
