"""Scene files that tests of several rooms begin with."""

from __future__ import annotations


def boxed(title: str, rest: str) -> str:
    """The text of a scene file whose domain is the unit square."""
    return f'''title = "{title}"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 1]
{rest}'''
