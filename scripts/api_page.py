"""Write docs/api.md, the page of what `import wavelab` offers, from its docstrings:
python -m scripts.api_page
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import wavelab

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "api.md"

INTRODUCTION = """\
# By script

What a Python program does with wavelab. This page is made of the docstrings by
`python -m scripts.api_page`.

```python
import wavelab

scene = wavelab.Scene.load("double_slit").with_("d", 0.6)
with wavelab.Simulation(scene, until=2) as simulation:
    simulation.run()
    ez = simulation.field("ez")
    print(simulation, ez(2.5, 1.2), simulation.probes["straight ahead"]["ez"].max())
    simulation.picture(size=(480, 320)).save("slits.png")
```

Lengths are in a unit of your choice and the speed of light in vacuum is 1. What is wrong with a
scene, an option or a device is a `WavelabError` that says what would be right; what one should know
although all goes well is a warning of the class `Notice`. Numbers are those of the command line:
`Simulation.summary()` is what `wavelab run --json` prints.

Importing `wavelab` loads nothing else; each name is loaded when it is first used. Drivers of OpenCL
do not outlive a fork: processes that are to compute are made with
`multiprocessing.get_context("spawn")`, or by `wavelab.sweep`; a fork after a run is refused, unless
it computes with `backend="numpy"`.

"""
#: In this order; the rest are their results.
MAIN = (
    "Scene",
    "Simulation",
    "waveform",
    "medium",
    "resonances",
    "bands",
    "converge",
    "sweep",
    "plot",
    "figure",
    "shipped_scenes",
)
_SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.M)


def page() -> str:
    """The text of the page."""
    rest = [name for name in wavelab.__all__ if name not in (*MAIN, "__version__")]
    parts = [INTRODUCTION, "## Notebooks\n\n", *_notebooks()]
    for name in (*MAIN, *rest):
        parts += ["\n", *_entry(name, getattr(wavelab, name))]
    return "".join(parts)


def _notebooks() -> Iterator[str]:
    """Their titles, with what each begins with."""
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        first = json.loads(path.read_text(encoding="utf-8"))["cells"][0]["source"]
        title = first[0].removeprefix("# ").strip()
        yield f"- [{title}](../notebooks/{path.name})\n"


def _entry(name: str, thing: Any) -> Iterator[str]:
    if not inspect.isclass(thing):
        yield f"## `{name}{_signature(thing)}`\n\n{markdown(thing.__doc__)}"
        return
    own = "" if issubclass(thing, Exception) else _signature(thing.__init__)
    made = own if "__init__" in vars(thing) and name in MAIN else ""
    yield f"## `{name}{made}`\n\n{markdown(thing.__doc__)}"
    for member, found in _members(thing):
        kind = found.__func__ if isinstance(found, classmethod) else found
        if isinstance(found, property):
            yield f"\n### `{name}.{member}`\n\n{markdown(found.fget.__doc__)}"
        else:
            yield f"\n### `{name}.{member}{_signature(kind)}`\n\n{markdown(kind.__doc__)}"


def _members(thing: type) -> Iterator[tuple[str, Any]]:
    """Public methods and properties that say what they do, those of its bases first."""
    if issubclass(thing, Exception):
        return
    seen: set[str] = set()
    for kind in thing.__mro__:
        if not kind.__module__.startswith("wavelab."):
            continue
        for name, found in vars(kind).items():
            told = isinstance(found, property | classmethod) or inspect.isfunction(found)
            doc = found.fget.__doc__ if isinstance(found, property) else found.__doc__
            if told and doc and not name.startswith("_") and name not in seen:
                seen.add(name)
                yield name, found


def _signature(function: Any) -> str:
    """With defaults, and without types, which editors show."""
    parts, star = [], False
    for p in inspect.signature(function).parameters.values():
        if p.name in ("self", "cls"):
            continue
        if p.kind is p.KEYWORD_ONLY and not star:
            parts.append("*")
            star = True
        mark = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        default = "" if p.default is p.empty else f"={p.default!r}"
        parts.append(f"{mark}{p.name}{default}")
    return f"({', '.join(parts)})"


def markdown(doc: str | None) -> str:
    """A docstring of the house as Markdown."""
    text = inspect.cleandoc(doc or "")
    first, *rest = _SECTION.split(text)
    parts = [_inline(first).strip() + "\n"]
    for title, body in zip(rest[::2], rest[1::2], strict=True):
        if title == "Examples":
            lines = re.sub(r"^(?!>>> |\.\.\. )", "# ", body.strip(), flags=re.M)
            code = re.sub(r"^(>>> |\.\.\. )", "", lines, flags=re.M)
            parts.append(f"\n```python\n{code}\n```\n")
        else:
            parts.append(f"\n**{title}**\n\n{_items(_inline(body))}")
    return "".join(parts)


def _items(body: str) -> str:
    """A list, where a section is one of names."""
    lines = body.strip().splitlines()
    if not re.match(r"[\w, ]+ : ", lines[0]):
        return "\n".join(lines) + "\n"
    found: list[str] = []
    for line in lines:
        if match := re.match(r"([\w, ]+) : (.*)", line):
            names = ", ".join(f"`{name}`" for name in match[1].split(", "))
            found.append(f"- {names}: {match[2]}")
        else:
            found[-1] += f" {line.strip()}"
    return "\n".join(found) + "\n"


def _inline(text: str) -> str:
    text = re.sub(r":\w+:`~?([^`]+)`", r"`\1`", text)
    return text.replace("``", "`").replace(".  ", ". ")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE}")
