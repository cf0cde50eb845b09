"""From a parsed TOML file to a scene."""

from __future__ import annotations

import os
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any

from wavelab.scene.model.item_error import ItemError, require_one_of
from wavelab.scene.model.labels import TextLabel
from wavelab.scene.model.medium import Medium
from wavelab.scene.model.parameter import Parameter, check_count, check_parameter_name
from wavelab.scene.model.pings import Ping
from wavelab.scene.model.scene import (
    Hole,
    MaterialRegion,
    NamedFields,
    Probe,
    Scene,
    Source,
    Wall,
)
from wavelab.scene.model.shapes import SHAPES, Shape
from wavelab.scene.model.view import View
from wavelab.scene.model.walking import with_files
from wavelab.scene.monitors import MONITORS, Monitor
from wavelab.scene.poles import POLES, Pole
from wavelab.scene.sources import SOURCES
from wavelab.scene.systems import SYSTEMS, System
from wavelab.scene.toml.toml_solver import solver_from
from wavelab.scene.toml.toml_table import Table
from wavelab.scene.toml.toml_values import as_number, as_text
from wavelab.scene.view.quantities import names_of
from wavelab.scene.waveforms import WAVEFORMS, Waveform

#: What else a scene file has.
_NO_ITEMS = (
    "title", "description", "notes", "domain", "background", "pings", "initial", "exact",
    "imaginary", "solver", "view",
)  # fmt: skip


def scene_from(content: dict[str, Any], path: Path | None) -> Scene:
    """The scene that a TOML file says, its values not yet checked against each other.

    Parameters
    ----------
    path : where the file is, so that a mesh file beside it is found.

    Raises
    ------
    ItemError : a key is missing or unknown, or a value has the wrong type.
    """
    top = Table(content)
    title = top.take("title", as_text, path.stem if path else "Untitled")
    description = top.take("description", as_text, "")
    notes = top.take("notes", as_text, "")
    system = _system(top)
    parameters = _parameters(top)
    outline, mesh_file = _domain(top.needed_table("domain"), path)
    initial, initial_file = _initial(top.table("initial"), system, path)
    items = _items(top, system)
    items["sources"] = with_files(items["sources"], lambda file: _beside(path, file))
    scene = Scene(
        title=title,
        description=description,
        notes=notes,
        outline=outline,
        mesh_file=mesh_file,
        background=_background(top.table("background"), system),
        **items,
        pings=tuple(_plain(t, Ping) for t in top.tables("pings")),
        initial=initial,
        initial_file=initial_file,
        exact=_plain(top.table("exact"), system.fields, ("x", "y", "t"))
        if "exact" in top
        else None,
        imaginary=_plain(top.table("imaginary"), system.fields, ("x", "y"))
        if "imaginary" in top
        else None,
        solver=solver_from(top.table("solver"), outline, items["sources"]),
        view=_view(top.table("view"), system),
        path=path,
        parameters=parameters,
        physics=system.key,
    )
    top.finish()
    return scene


@dataclass(frozen=True)
class Items:
    """The items in a text that need not be a whole scene.

    ``left_out`` are the tables and keys of a scene that are no items, ``parameters`` what numbers
    of the items may follow.
    """

    holes: tuple[Hole, ...]
    materials: tuple[MaterialRegion, ...]
    walls: tuple[Wall, ...]
    sources: tuple[Source, ...]
    probes: tuple[Probe, ...]
    monitors: tuple[Monitor, ...]
    labels: tuple[TextLabel, ...]
    left_out: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    physics: str = "light"


def items_from(content: dict[str, Any]) -> Items:
    """The items in a parsed TOML text, their values not yet checked.

    Raises
    ------
    ItemError : a key is missing or unknown, or a value has the wrong type.
    """
    left_out = tuple(key for key in content if key in _NO_ITEMS)
    top = Table({key: value for key, value in content.items() if key not in left_out})
    system = _system(top)
    parameters = _parameters(top)
    items = Items(
        **_items(top, system), left_out=left_out, parameters=parameters, physics=system.key
    )
    top.finish()
    return items


def _system(top: Table) -> System:
    """What the waves are, on which what else there may be depends."""
    return SYSTEMS[top.choice("physics", SYSTEMS, "light")]


def _items(top: Table, system: System) -> dict[str, Any]:
    return {
        "holes": tuple(_hole(t, i) for i, t in enumerate(top.tables("holes"), 1)),
        "materials": tuple(
            _material(t, i, system) for i, t in enumerate(top.tables("materials"), 1)
        ),
        "walls": tuple(_wall(t, i, system) for i, t in enumerate(top.tables("walls"), 1)),
        "sources": tuple(_source(t, i) for i, t in enumerate(top.tables("sources"), 1)),
        "probes": tuple(_probe(t, i) for i, t in enumerate(top.tables("probes"), 1)),
        "monitors": tuple(_monitor(t, i, system) for i, t in enumerate(top.tables("monitors"), 1)),
        "labels": tuple(_label(t, i) for i, t in enumerate(top.tables("labels"), 1)),
    }


def _parameters(top: Table) -> tuple[Parameter, ...]:
    """The parameters, which from now on the other tables may use."""
    found: list[Parameter] = []
    if (table := top.table("parameters")) is not None:
        check_count(len(table.content))
        for name, content in table.content.items():
            item = (*table.path, name)
            check_parameter_name(name, item)
            known = {p.name: float(p.value) for p in found}
            if isinstance(content, dict):
                parameter = Table(content, item, known).made(Parameter, name=name)
            else:
                parameter = Parameter(name, as_number(content, item, known))
            parameter.check(item)
            found.append(parameter)
        top.parameters = {p.name: float(p.value) for p in found}
    return tuple(found)


def _plain(table: Table | None, kind: type, variables: tuple[str, ...] = ()) -> Any:
    """A dataclass whose fields are the keys of the table; its defaults if there is no table."""
    return kind() if table is None else table.made(kind, variables)


def _domain(table: Table, path: Path | None) -> tuple[Shape | None, Path | None]:
    if "mesh" in table and "shape" in table:
        raise ItemError(
            "the domain has both a shape and a mesh file",
            remedy="Give either a shape or a mesh file.",
            item=(*table.path, "mesh"),
        )
    if "mesh" in table:
        name = table.take("mesh", as_text)
        table.finish()
        return None, _beside(path, Path(name))
    if "shape" not in table:
        raise ItemError(
            "the domain has neither a shape nor a mesh file",
            remedy='Write shape = "rectangle" with lower and upper, or mesh = "file.msh".',
            item=table.path,
        )
    shape = _shape(table)
    table.finish()
    return shape, None


def _initial(
    table: Table | None, system: System, path: Path | None
) -> tuple[NamedFields, Path | None]:
    if table is None or "file" not in table:
        return _plain(table, system.fields, ("x", "y")), None
    name = table.take("file", as_text)
    table.finish()
    return system.fields(), _beside(path, Path(name))


def _beside(path: Path | None, file: Path) -> Path:
    """A file that is named in the scene file at ``path``."""
    return Path(os.path.normpath(path.parent / file if path else file))


def _shape(table: Table) -> Shape:
    kind = SHAPES[table.choice("shape", SHAPES)]
    return kind(**table.take_fields(kind))


def _hole(table: Table, number: int) -> Hole:
    name = table.take("name", as_text, f"hole {number}")
    return table.made(Hole, name=name, shape=_shape(table))


def _background(table: Table | None, system: System) -> Medium:
    if table is None:
        default: Medium = system.medium()
        return default
    material = _medium(table, system)
    table.finish()
    return material


def _medium(table: Table, system: System) -> Medium:
    kind = system.medium
    poles = [f.name for f in fields(kind) if f.name in ("poles", "magnetic_poles")]
    values = table.take_fields(kind, without=poles)
    values |= {name: tuple(map(_pole, table.tables(name))) for name in poles}
    medium: Medium = kind(**values)
    return medium


def _pole(table: Table) -> Pole:
    return table.made(POLES[table.choice("kind", POLES)])


def _material(table: Table, number: int, system: System) -> MaterialRegion:
    name = table.take("name", as_text, f"material {number}")
    material = _medium(table, system)
    shape = _shape(table) if table.take("shape", as_text, None) is not None else None
    return table.made(MaterialRegion, name=name, material=material, shape=shape)


def _wall(table: Table, number: int, system: System) -> Wall:
    walls, usual = system.walls, system.kind_of(system.unnamed(()))
    name, what = table.take("kind", as_text, usual), f"wall {number}"
    require_one_of(name, walls, (*table.path, "kind"), f"kind of {what}")
    kind = walls[name]
    own = {f.name: f for f in kind.numbers()}
    for other, owner in walls.items():
        for key in (f.name for f in owner.numbers() if f.name in table and f.name not in own):
            article = "an" if key[0] in "aeiou" else "a"
            raise ItemError(
                f"{what} has {article} {key}, but its kind is {name}",
                remedy=f'Set kind = "{other}", or leave the {key} out.',
                item=(*table.path, key),
            )
    missing = [key for key, f in own.items() if f.default is MISSING and key not in table]
    values = table.take_fields(kind, without=missing)
    for key in missing:
        table.take(key, as_text, None)  # known: it is suggested for one that is misspelt
    table.finish()
    for key in missing:
        remedy = own[key].metadata.get("remedy", f"Add {key} = ...")
        raise ItemError(f"{what} has no {key}", remedy=remedy, item=(*table.path, key))
    return kind(**values)


def _source(table: Table, number: int) -> Source:
    kind = SOURCES[table.choice("kind", SOURCES, "point")]
    return _with_shape(table, kind, f"source {number}")


def _with_shape(table: Table, kind: Any, name: str) -> Any:
    """A source or a monitor, which is called ``name`` unless it says otherwise."""
    name = table.take("name", as_text, name)
    values = table.take_fields(kind, without=("name", "waveform", "shape"))
    present = {f.name: f for f in fields(kind)}
    if "waveform" in present:
        values["waveform"] = _waveform(table)
    # Some are everywhere unless they are told where.
    if "shape" in present and ("shape" in table or present["shape"].default is MISSING):
        values["shape"] = _shape(table)
    table.finish()
    return kind(name=name, **values)


def _waveform(owner: Table) -> Waveform:
    if isinstance(given := owner.content.get("waveform"), Waveform):  # of a program
        return owner.take("waveform", lambda value, item: given)
    table = owner.needed_table("waveform")
    return table.made(WAVEFORMS[table.choice("kind", WAVEFORMS)])


def _probe(table: Table, number: int) -> Probe:
    return table.made(Probe, name=table.take("name", as_text, f"probe {number}"))


def _label(table: Table, number: int) -> TextLabel:
    return table.made(TextLabel, name=table.take("name", as_text, f"label {number}"))


def _monitor(table: Table, number: int, system: System) -> Monitor:
    kind = MONITORS[table.choice("kind", MONITORS)]
    monitor: Monitor = _with_shape(_asked(table, system), kind, f"monitor {number}")
    return monitor


def _view(table: Table | None, system: System) -> View:
    view: View = _plain(None if table is None else _asked(table, system), View)
    return view


def _asked(table: Table, system: System) -> Table:
    """The table with the program's own name of the field that is shown or recorded."""
    key = "quantity"
    if isinstance(name := table.content.get(key), str):
        known = names_of(system)
        require_one_of(name, known, (*table.path, key), key)
        table.content = {**table.content, key: known[name]}
    return table
