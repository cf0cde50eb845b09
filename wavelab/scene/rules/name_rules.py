"""Rules for names: printable, unique among their kind, and not those of something else."""

from __future__ import annotations

from collections import Counter

from wavelab.scene.model.item_error import require
from wavelab.scene.model.scene import Scene

LONGEST_NAME = 80


def check_names(scene: Scene) -> None:
    """Check the names of everything in a scene that has one.

    Raises
    ------
    ItemError : names the item and what would be right.
    """
    for kind in ("hole", "material", "source", "probe", "monitor", "label"):
        key = f"{kind}s"
        names = [member.name for member in getattr(scene, key)]
        counts, seen = Counter(names), set[str]()
        for i, name in enumerate(names):
            item = (key, i, "name")
            # The names go into mesh files, which put them in quotes, and tables.
            usable = name.isprintable() and name == name.strip() and '"' not in name
            require(
                bool(name) and usable and len(name) <= LONGEST_NAME,
                item,
                f"{name!r} cannot be the name of a {kind}",
                f"A name has 1 to {LONGEST_NAME} printable characters, no double quotes, and no "
                "blanks at its ends.",
            )
            require(
                name not in seen,
                item,
                f'{counts[name]} {kind}s are named "{name}"',
                f"Give each {kind} its own name.",
            )
            seen.add(name)
    for i, hole in enumerate(scene.holes):
        require(
            hole.name != "domain" and "." not in hole.name,
            ("holes", i, "name"),
            f'a hole cannot be named "{hole.name}"',
            'Walls call the outer edge "domain" and edge 2 of hole A "A.2".',
        )
    for i, region in enumerate(scene.materials):
        require(
            region.name != "background",
            ("materials", i, "name"),
            'a material cannot be named "background"',
            "That is what is left of the domain; set it in [background].",
        )
