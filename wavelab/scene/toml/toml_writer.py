"""From a scene to a TOML text that is pleasant to read: what is usual is left out."""

from __future__ import annotations

import os
import textwrap
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import MISSING, fields, replace
from pathlib import Path
from typing import Any

import tomli_w

from wavelab.errors import SceneError
from wavelab.scene.formulas.expression import Expression, WholeExpression, spelled_alike
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.formulas.given_function import GivenFunction
from wavelab.scene.model.medium import Medium
from wavelab.scene.model.parameter import Parameter
from wavelab.scene.model.scene import MaterialRegion, Scene, Source, Wall
from wavelab.scene.model.shapes import SHAPES, Repeated, Shape
from wavelab.scene.model.walking import with_files
from wavelab.scene.monitors import MONITORS, Monitor
from wavelab.scene.poles import POLES
from wavelab.scene.rules.parameter_rules import needed
from wavelab.scene.sources import SOURCES
from wavelab.scene.systems import System, system_of
from wavelab.scene.waveforms import WAVEFORMS

_WIDTH = 90


def scene_text(scene: Scene, directory: Path | None) -> str:
    """The TOML text of a scene.

    Parameters
    ----------
    directory : where the text will be saved, for the names of files; None if nowhere.

    Raises
    ------
    SceneError : a program has put into it what has no text.
    """
    scene = replace(scene, sources=with_files(scene.sources, lambda file: _name(file, directory)))
    about = {"title": scene.title}
    if scene.description:
        about["description"] = _Prose(scene.description)
    if scene.notes:
        about["notes"] = _Sheet(scene.notes)
    about |= _physics(scene)
    system = system_of(scene)
    parts = [_lines(about)]

    if scene.parameters:
        parts.append(_parameter_lines(scene.parameters))

    def add(header: str, values: dict[str, Any]) -> None:
        parts.append([header, *_lines(values)])

    if units := _changed(scene.units):
        add("[units]", units)
    if scene.outline is not None:
        add("[domain]", _shape_values(scene.outline))
    else:
        add("[domain]", {"mesh": _name(scene.mesh_file or Path(), directory).as_posix()})
    first, *others = _ITEMS
    tables = _tables(scene, first)
    tables += [("[background]", _medium_values(scene.background))]
    tables += _tables(scene, *others)
    tables += [("[[pings]]", _changed(ping)) for ping in scene.pings]
    begin = _changed(scene.initial)
    if scene.initial_file is not None:
        begin["file"] = _name(scene.initial_file, directory).as_posix()
    tables += [("[initial]", begin)]
    if scene.imaginary is not None:
        tables += [("[imaginary]", _changed(scene.imaginary))]
    tables += [("[exact]", _changed(scene.exact))] if scene.exact is not None else []
    tables += [
        ("[solver]", _solver_values(scene)),
        ("[view]", _named(_changed(scene.view), system)),
    ]
    for header, values in tables:
        if values:
            add(header, values)
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def items_text(scene: Scene) -> str:
    """The TOML text of the items of a scene alone: its holes, materials, walls, sources, probes,
    monitors and labels, and the parameters that they follow."""
    parts = [[header, *_lines(values)] for header, values in _tables(scene, *_ITEMS)]
    if used := needed(scene.parameters, tuple(getattr(scene, key) for key in _ITEMS)):
        parts.insert(0, _parameter_lines(used))
    if scene.materials or scene.walls or scene.monitors:
        # Light too: without it they would be of the scene that they are pasted into.
        parts.insert(0, _lines({"physics": scene.physics}))
    return "\n\n".join(map("\n".join, parts)) + "\n"


def medium_text(medium: Medium) -> str:
    """The lines of a medium, as they stand below [background]."""
    return "\n".join(_lines(_medium_values(medium)))


def _parameter_lines(parameters: tuple[Parameter, ...]) -> list[str]:
    values = {}
    for parameter in parameters:
        about = _changed(parameter)
        name = about.pop("name")
        values[name] = about if len(about) > 1 else parameter.value
    return ["[parameters]", *_lines(values)]


def _tables(scene: Scene, *keys: str) -> list[tuple[str, dict[str, Any]]]:
    system = system_of(scene)
    return [
        (f"[[{key}]]", _ITEMS[key](item, system)) for key in keys for item in getattr(scene, key)
    ]


def _physics(scene: Scene) -> dict[str, Any]:
    return {} if scene.physics == "light" else {"physics": scene.physics}


def _named(values: dict[str, Any], system: System) -> dict[str, Any]:
    """With the field that is shown or recorded as files name it."""
    if (quantity := values.get("quantity")) in system.names:
        values["quantity"] = system.names[quantity]
    return values


class _Prose(str):
    """A text that may be wrapped."""


class _Sheet(str):
    """A text of lines."""


def _changed(value: Any) -> dict[str, Any]:
    """The fields of a dataclass that differ from their default, and those that are expressions."""
    found = {f.name: getattr(value, f.name) for f in fields(value)}
    usual = {f.name: f.default for f in fields(value) if f.default is not MISSING}
    return {
        name: entry
        for name, entry in found.items()
        if name not in usual or entry != usual[name] or not spelled_alike(entry, usual[name])
    }


def _kind_name(value: Any, registry: Mapping[str, type]) -> str:
    return next(name for name, kind in registry.items() if type(value) is kind)


def _shape_values(shape: Shape) -> dict[str, Any]:
    if isinstance(shape, Repeated):
        repeat = _changed(shape.repeat) | {"pitch": shape.repeat.pitch_in_short()}
        return {**_shape_values(shape.shape), "repeat": repeat}
    return {"shape": _kind_name(shape, SHAPES), **_changed(shape)}


def _medium_values(material: Medium) -> dict[str, Any]:
    values = _changed(material)
    for name in {"poles", "magnetic_poles"} & values.keys():
        values[name] = tuple({"kind": _kind_name(p, POLES), **_changed(p)} for p in values[name])
    return values


def _material_values(region: MaterialRegion) -> dict[str, Any]:
    shape = _shape_values(region.shape) if region.shape is not None else {}
    return {"name": region.name, **_medium_values(region.material), **shape}


def _wall_values(wall: Wall, system: System) -> dict[str, Any]:
    values = _changed(wall)
    edges = {"edges": values.pop("edges")}
    kind = {} if type(wall) is system.unnamed else {"kind": system.kind_of(wall)}
    return {**edges, **kind, **values}


def _kind_values(item: Source | Monitor, registry: Mapping[str, type]) -> dict[str, Any]:
    """Of a source or a monitor."""
    values = {"name": item.name, "kind": _kind_name(item, registry), **_changed(item)}
    if (shape := values.pop("shape", None)) is not None:
        values |= _shape_values(shape)
    if (waveform := values.pop("waveform", None)) is not None:
        if type(waveform) not in WAVEFORMS.values():
            raise SceneError(
                f"the waveform of {item.what} was given by a program, and no scene file can hold "
                "its samples",
                remedy='Write them into a CSV file, and name that: waveform = { kind = "file", '
                'path = "..." }.',
            )
        values["waveform"] = {"kind": _kind_name(waveform, WAVEFORMS), **_changed(waveform)}
    return values


def _solver_values(scene: Scene) -> dict[str, Any]:
    values = _changed(scene.solver)
    if scene.outline is not None:
        return {"element_size": scene.solver.element_size, **values}
    values.pop("element_size", None)  # the one of a mesh file is that of its elements
    return values


def _name(file: Path, directory: Path | None) -> Path:
    """What a file is called by a scene file in a directory."""
    if directory is not None:
        with suppress(ValueError):  # another drive
            return Path(os.path.relpath(file, directory))
    return file


#: By the name of their tables, in the order of a scene file; the background comes after the holes.
_ITEMS: dict[str, Callable[[Any, System], dict[str, Any]]] = {
    "holes": lambda hole, _: {"name": hole.name, **_shape_values(hole.shape)},
    "materials": lambda region, _: _material_values(region),
    "walls": _wall_values,
    "sources": lambda source, _: _kind_values(source, SOURCES),
    "probes": lambda probe, system: _named(_changed(probe), system),
    "monitors": lambda monitor, system: _named(_kind_values(monitor, MONITORS), system),
    "labels": lambda label, _: _changed(label),
}


def _lines(values: dict[str, Any]) -> list[str]:
    return [f"{key} = {_value(value, len(key) + 3)}" for key, value in values.items()]


def _value(value: Any, indent: int = 0) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case GivenFunction():
            raise SceneError(
                f"{value.text} is a Python function, and no scene file can hold it",
                remedy="Say it as a formula, in a text.",
            )
        case Formula() | Expression() | WholeExpression():
            return _scalar(value.text)
        case Path():
            return _scalar(value.as_posix())
        case _Prose():
            return _prose(value)
        case _Sheet():
            return _sheet(value)
        case dict():
            inside = ", ".join(f"{key} = {_value(entry)}" for key, entry in value.items())
            return f"{{ {inside} }}"
        case tuple():
            return _array([_value(entry) for entry in value], indent)
        case float() if value.is_integer() and abs(value) < 1e15:
            return str(int(value))
    return _scalar(value)


def _scalar(value: str | float | int) -> str:
    return tomli_w.dumps({"": value}).partition(" = ")[2].rstrip("\n")


def _array(entries: list[str], indent: int) -> str:
    """On one line if it fits, else as many entries a line as fit."""
    line = f"[{', '.join(entries)}]"
    if indent + len(line) <= _WIDTH:
        return line
    rows: list[str] = []
    for entry in entries:
        if rows and len(rows[-1]) + len(entry) + 3 <= _WIDTH:
            rows[-1] += f" {entry},"
        else:
            rows.append(f"    {entry},")
    return "\n".join(["[", *rows, "]"])


def _prose(text: str) -> str:
    """A long text over several lines, joined again by TOML's backslash at the line end."""
    plain = _scalar(str(text))
    rows = textwrap.wrap(plain[1:-1], _WIDTH, break_long_words=False, break_on_hyphens=False)
    wrapped = '"""\\\n' + " \\\n".join(rows) + '"""'
    return wrapped if len(rows) > 1 and _reads_as(wrapped, text) else plain


def _sheet(text: str) -> str:
    """A text of several lines as they are, between lines of quotes."""
    plain = _scalar(str(text))
    escaped = "\n".join(_scalar(line)[1:-1] for line in text.split("\n"))
    if '"""' in text:
        return plain
    # What needs no escape in text of several lines is easier to read without.
    lines = f'"""\n{escaped}"""'.replace('\\"', '"') if not text.endswith('"') else plain
    return lines if "\n" in text and _reads_as(lines, text) else plain


def _reads_as(written: str, text: str) -> bool:
    try:
        return tomllib.loads(f"text = {written}")["text"] == text
    except tomllib.TOMLDecodeError:
        return False
