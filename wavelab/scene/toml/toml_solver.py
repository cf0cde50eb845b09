"""The table ``[solver]`` of a scene file."""

from __future__ import annotations

from collections.abc import Sequence

from wavelab.scene.model.ending import DECAYED, UNTIL_DECAYED, latest_end
from wavelab.scene.model.item_error import ItemError
from wavelab.scene.model.scene import Solver
from wavelab.scene.model.sending.source import Source
from wavelab.scene.model.shapes import Shape
from wavelab.scene.toml.toml_table import Table


def solver_from(table: Table | None, outline: Shape | None, sources: Sequence[Source]) -> Solver:
    """
    Raises
    ------
    ItemError : as for any table, and for an element size beside a mesh file.
    """
    table = table or Table({}, ("solver",))
    if outline is not None and "element_size" not in table:
        (x0, y0), (x1, y1) = outline.bounds()
        table.missing(
            "element_size",
            f"With element_size = {max(x1 - x0, y1 - y0) / 20:.2g} about 20 elements lie side by "
            "side.",
        )
    if outline is None and "element_size" in table:
        raise ItemError(
            "element_size has no effect beside a mesh file, whose elements are taken as they are",
            remedy="Leave it out, or make the elements smaller in the program that made the file.",
            item=(*table.path, "element_size"),
        )
    if table.content.get("until") == UNTIL_DECAYED:
        ending = {"until": latest_end(outline, sources), "decayed": DECAYED}
        table = Table(
            {**ending, **table.content, "until": ending["until"]}, table.path, table.parameters
        )
    return table.made(Solver)
