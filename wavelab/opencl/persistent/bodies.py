"""Kernels turned into functions, so that one kernel can call many of them.

A persistent kernel loops over what would be the work groups or work items of others.  So each of
these becomes a function that is told which one it is, and takes its local memory from its caller:
OpenCL C 1.2 lets only a kernel declare any.  This works on what the templates have rendered, so no
template knows of it.

Several sources have to get along in one.  All names that a source gives at file level get a prefix,
by macros that are taken back behind it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

#: What every function is told: number of the group or, where work items have no groups, of the
#: item; the work item in the group; how many items there are; local memory that is free; and what
#: it knows of when all groups meet.
_PLACE = (
    "const int unit_, const int local_, const int items_, local char *arena_, meeting_t_ *meeting_"
)
#: What templates say where traces of neighbours are read from then on.
_WAIT = "OTHERS_PUBLISHED"
#: What OpenCL's functions are to it.
_IDS = {
    "get_group_id": "unit_",
    "get_global_id": "unit_",
    "get_local_id": "local_",
    "get_global_size": "items_",
}
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_ATTRIBUTE = re.compile(r"__attribute__\s*\(\(.*?\)\)\s*(?=void|\n|$)", re.DOTALL)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:.*\\\n)*.*$", re.MULTILINE)
_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_TYPE = re.compile(r"\btypedef\b[^;]*?\b(\w+)\s*;")
_CONSTANT = re.compile(r"\bconstant\b[^=;(]*?\b(\w+)\s*(?:\[[^\]]*\]\s*)*=")
_FUNCTION = re.compile(r"\b(\w+)\s*\((.*)\)\s*$", re.DOTALL)
_OF_OTHERS = re.compile(r"\bglobal const (\w+) \*restrict traces\b")
_NAME = re.compile(r"\w+")
_ARRAY = re.compile(r"\s*(\w+)\s*\[(.*)\]\s*", re.DOTALL)


@dataclass(frozen=True)
class Bodies:
    """The kernels of one source, as functions.

    Attributes
    ----------
    text : of the functions.
    prefix : of all names at file level.
    parameters : of each kernel, the names of its parameters.
    meeting : the kernels whose work items wait for each other.
    reading : the kernels that read what neighbours publish and leave the waiting to their caller.
    """

    text: str
    prefix: str
    parameters: dict[str, tuple[str, ...]]
    meeting: frozenset[str]
    reading: frozenset[str]

    def name(self, kernel: str) -> str:
        """Of its function."""
        return f"{self.prefix}{kernel}"


@lru_cache(maxsize=32)
def bodies_of(source: str, prefix: str, kernels: frozenset[str]) -> Bodies:
    """Some kernels of a source, with what they need.

    Parameters
    ----------
    prefix : of all names at file level.
    """
    source = _COMMENT.sub("", source)
    source = re.sub(rf"#define {_WAIT}\b.*", "", source)
    shared = {"local", *(w for w in ("SHARED", "TOGETHER") if f"#define {w} local" in source)}
    waits = {"barrier", *(w for w in ("SYNC", "MEET") if f"#define {w} barrier" in source)}
    waiting = re.compile(rf"\b({'|'.join(sorted(waits))})\b")
    kept: list[str] = []
    names: list[str] = []
    parameters: dict[str, tuple[str, ...]] = {}
    meeting: set[str] = set()
    reading: set[str] = set()
    for head, block in _definitions(source):
        code = _DIRECTIVE.sub("", head)
        function = _FUNCTION.search(_ATTRIBUTE.sub("", code)) if block else None
        if function is None:
            kept += [head, block]
            names += _CONSTANT.findall(code + "=" * bool(block)) + _TYPE.findall(code)
            continue
        name = function[1]
        names.append(name)
        if not _is_kernel(code):
            kept += [head, block]
            continue
        kept.append("\n" + "\n".join(_DIRECTIVE.findall(head)) + "\n")
        if name not in kernels:
            continue
        given = [part.strip() for part in function[2].split(",")]
        parameters[name] = tuple(_NAME.findall(part)[-1] for part in given)
        if waiting.search(block):
            meeting.add(name)
        if _OF_OTHERS.search(function[2]) and _WAIT not in block:
            reading.add(name)
        # What neighbours have written comes from where all see it.
        given_to = _OF_OTHERS.sub(r"global const volatile \1 *traces", function[2])
        kept.append(f"void {name}({_PLACE}, {given_to})\n{_without_local(block, shared)}\n")
    macros = sorted(set(_MACRO.findall(source)))
    given_back = [*names, *macros, *_IDS, _WAIT]
    text = "\n".join(
        [
            *(f"#define {id}(dimension) {what}" for id, what in _IDS.items()),
            f"#define {_WAIT} others_published_(meeting_)",
            *(f"#define {name} {prefix}{name}" for name in dict.fromkeys(names)),
            "".join(kept),
            *(f"#undef {name}" for name in dict.fromkeys(given_back)),
        ]
    )
    return Bodies(text + "\n", prefix, parameters, frozenset(meeting), frozenset(reading))


def _is_kernel(head: str) -> bool:
    """By the word, or a macro that stands for it."""
    return re.search(r"\bkernel\b|\b\w+_KERNEL\b", head) is not None


def _definitions(source: str) -> list[tuple[str, str]]:
    """Everything at file level: what stands before each block in braces, with all before it, and
    the block; at the end what has none."""
    found: list[tuple[str, str]] = []
    # Braces in macros are those of expressions, in pairs.
    depth, begin, opened = 0, 0, 0
    hidden = [match.span() for match in _DIRECTIVE.finditer(source)]
    skip = {i for first, last in hidden for i in range(first, last)}
    for i, sign in enumerate(source):
        if i in skip:
            continue
        if sign == "{":
            if depth == 0:
                opened = i
            depth += 1
        elif sign == "}":
            depth -= 1
            if depth == 0:
                found.append((source[begin:opened], source[opened : i + 1]))
                begin = i + 1
        elif sign == ";" and depth == 0:
            found.append((source[begin : i + 1], ""))
            begin = i + 1
    return [*found, (source[begin:], "")]


def _without_local(block: str, words: set[str]) -> str:
    """With pointers into the arena in place of local arrays."""

    def moved(declaration: re.Match[str]) -> str:
        number, arrays = declaration[2], _split(declaration[3])
        lines = []
        for array in arrays:
            match = _ARRAY.fullmatch(array)
            assert match is not None, array
            name, size = match[1], match[2]
            lines.append(
                f"local {number} *const {name} = (local {number} *)arena_; "
                f"arena_ += ({size}) * sizeof({number});"
            )
        return " ".join(lines)

    pattern = re.compile(rf"\b({'|'.join(sorted(words))})\s+(\w+)\s+(\w+\s*\[[^;=]+);")
    return pattern.sub(moved, block)


def _split(declarators: str) -> list[str]:
    """At the commas outside brackets."""
    parts, depth = [""], 0
    for sign in declarators:
        depth += (sign in "[(") - (sign in ")]")
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return parts
