"""Files of the whole field, by the end of their name."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from wavelab.atomic import check_target
from wavelab.output.files import snapshot, vtu
from wavelab.physics.operator.fields import Fields
from wavelab.physics.problem import Problem

Writer = Callable[[str | os.PathLike[str], Problem, Fields, float], None]

WRITERS: dict[str, Writer] = {
    **dict.fromkeys(snapshot.SUFFIXES, snapshot.write_snapshot),
    **dict.fromkeys(vtu.SUFFIXES, vtu.write_vtu),
}
SUFFIXES = tuple(WRITERS)


def write_fields(
    path: str | os.PathLike[str], problem: Problem, fields: Fields, time: float
) -> None:
    """Write ``fields`` of ``problem`` at ``time``, in the way that the suffix says.

    Raises
    ------
    OutputError : the file cannot be written there, or has another suffix.
    """
    check_target(path, SUFFIXES)
    WRITERS[Path(path).suffix.lower()](path, problem, fields, time)
