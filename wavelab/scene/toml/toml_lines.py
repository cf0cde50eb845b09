"""On which line of a TOML text a key stands; ``tomllib`` keeps no positions."""

from __future__ import annotations

import re
import tomllib
from typing import Any

Path = tuple[str | int, ...]

# Strings and comments are taken whole, so that the brackets and line ends in them do not count.
_PIECE = re.compile(
    r'"""(?:\\.|[^\\])*?"""(?!")'
    r"|'''.*?'''(?!')"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'"
    r"|\#[^\n]*"
    r"|[\[{]|[\]}]|\n|[^\"'#\[\]{}\n]+",
    re.DOTALL,
)

#: More parts than any key of a scene has.
_DEEP = re.compile(r"(?<![\w-])(?:[\w-]++[ \t]*+\.[ \t]*+){16}")  # in one look at each character


def key_lines(text: str) -> dict[Path, int]:
    """Line, from 1, of every table and key of a text that ``tomllib`` accepts.

    A path is made of keys and, in arrays, numbers from 0: ``("materials", 1, "epsilon")``.  What
    is inside a value stands on the line its statement begins at.
    """
    lines: dict[Path, int] = {(): 1}
    counts: dict[Path, int] = {}  # of tables so far, for each array of tables
    table: Path = ()
    for line, statement in _statements(text):
        # Each statement by itself is a TOML text again, and names its keys when it is parsed.
        content = tomllib.loads(statement)
        if not statement.startswith("["):
            _record(content, table, line, lines)
            continue
        table = ()
        while isinstance(content, dict) and content:
            ((key, content),) = content.items()
            table = (*table, key)
            if isinstance(content, list):
                lines.setdefault(table, line)
                counts[table] = counts.get(table, 0) + 1
            if table in counts:
                table = (*table, counts[table] - 1)
            content = content[0] if isinstance(content, list) else content
        lines.setdefault(table, line)
    return lines


def deep_key(text: str) -> int | None:
    """Line, from 1, of a key of more dotted parts than any scene has; None without one.

    Not yet parsed: a key of 20,000 parts takes ``tomllib`` 19 s and a gigabyte.
    """

    def bare(match: re.Match[str]) -> str:
        # A string may be a part of a key, and may have dots in it.
        piece = match[0]
        if piece[0] not in "\"'#":
            return piece
        return ("" if piece[0] == "#" else "s") + "\n" * piece.count("\n")

    skeleton = _PIECE.sub(bare, text)
    found = _DEEP.search(skeleton)
    return None if found is None else skeleton.count("\n", 0, found.start()) + 1


def line_of(path: Path, lines: dict[Path, int]) -> int:
    """Line of a path, or of the innermost table around it that the text has."""
    while path not in lines:
        path = path[:-1]
    return lines[path]


def _statements(text: str) -> list[tuple[int, str]]:
    """(line, text) of every header and every key with its value."""
    statements = []
    line, depth, start, begun = 1, 0, 1, ""
    for match in _PIECE.finditer(f"{text}\n"):
        piece = match[0]
        if piece in "[{":
            depth += 1
        elif piece in "]}":
            depth -= 1
        elif piece == "\n" and depth == 0:
            if begun.strip():
                statements.append((start, begun.strip()))
            begun = ""
        if not piece.startswith("#"):
            if not begun.strip():
                start = line
            if piece != "\n" or depth > 0:
                begun += piece
        line += piece.count("\n")
    return statements


def _record(content: Any, path: Path, line: int, lines: dict[Path, int]) -> None:
    items: Any = ()
    if isinstance(content, dict):
        items = content.items()
    elif isinstance(content, list):
        items = enumerate(content)
    for key, value in items:
        lines.setdefault((*path, key), line)
        _record(value, (*path, key), line, lines)
