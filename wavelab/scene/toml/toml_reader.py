"""From a parsed TOML file to a scene."""

from __future__ import annotations

import os
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any

from wavelab.scene.model.item_error import ItemError
from wavelab.scene.model.labels import TextLabel
from wavelab.scene.model.measuring.requests import FIELDS
from wavelab.scene.model.parameter import Parameter, check_count, check_parameter_name
from wavelab.scene.model.scene import (
    Hole,
    MaterialRegion,
    NamedFields,
    Probe,
    Scene,
    Source,
    Wall,
)
from wavelab.scene.model.sending.pings import Ping
from wavelab.scene.model.shapes import SHAPES, Grid, Repeated, Row, Shape, check_solid
from wavelab.scene.model.shapes.repeat import Repeat
from wavelab.scene.model.units import Units
from wavelab.scene.model.view import View
from wavelab.scene.model.walking import with_files
from wavelab.scene.monitors import MONITORS, Monitor
from wavelab.scene.sources import SOURCES
from wavelab.scene.systems import System
from wavelab.scene.toml.of_system import (
    background_said,
    fields_said,
    medium_said,
    quantity_asked,
    system_said,
    wall_said,
)
from wavelab.scene.toml.toml_solver import solver_from
from wavelab.scene.toml.toml_table import Table
from wavelab.scene.toml.toml_values import as_number, as_text
from wavelab.scene.view.quantities import QUANTITIES
from wavelab.scene.waveforms import WAVEFORMS, Waveform

#: What else a scene file has.
_NO_ITEMS = (
    "title", "description", "notes", "units", "domain", "background", "pings", "initial", "exact",
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
    system = system_said(top)
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
        background=background_said(top.table("background"), system),
        **items,
        pings=tuple(_plain(t, Ping) for t in top.tables("pings")),
        initial=initial,
        initial_file=initial_file,
        exact=fields_said(top.table("exact"), system, ("x", "y", "t")),
        imaginary=fields_said(top.table("imaginary"), system, ("x", "y")),
        solver=solver_from(top.table("solver"), outline, items["sources"]),
        view=_view(top.table("view"), system),
        path=path,
        parameters=parameters,
        physics=system.key,
        units=_plain(top.table("units"), Units),
    )
    top.finish()
    return scene


@dataclass(frozen=True)
class Items:
    """The items in a text that need not be a whole scene.

    ``left_out`` are the tables and keys of a scene that are no items, ``parameters`` what numbers
    of the items may follow, ``physics`` what their media and walls are for.
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


def items_from(content: dict[str, Any], physics: str = "light") -> Items:
    """The items in a parsed TOML text, their values not yet checked; of ``physics`` where the text
    does not say of which.

    Raises
    ------
    ItemError : a key is missing or unknown, or a value has the wrong type.
    """
    left_out = tuple(key for key in content if key in _NO_ITEMS)
    top = Table({key: value for key, value in content.items() if key not in left_out})
    system = system_said(top, physics)
    parameters = _parameters(top)
    items = Items(
        **_items(top, system), left_out=left_out, parameters=parameters, physics=system.key
    )
    top.finish()
    return items


def _items(top: Table, system: System) -> dict[str, Any]:
    return {
        "holes": tuple(_hole(t, i) for i, t in enumerate(top.tables("holes"), 1)),
        "materials": tuple(
            _material(t, i, system) for i, t in enumerate(top.tables("materials"), 1)
        ),
        "walls": tuple(wall_said(t, i, system) for i, t in enumerate(top.tables("walls"), 1)),
        "sources": tuple(_source(t, i) for i, t in enumerate(top.tables("sources"), 1)),
        "probes": tuple(_probe(t, i, system) for i, t in enumerate(top.tables("probes"), 1)),
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
    check_solid(shape, table.path, "the domain")  # how large it is, is asked before all is checked
    return shape, None


def _initial(
    table: Table | None, system: System, path: Path | None
) -> tuple[NamedFields, Path | None]:
    if table is None or "file" not in table:
        return fields_said(table, system, ("x", "y")) or system.fields(), None
    name = table.take("file", as_text)
    table.finish()
    return system.fields(), _beside(path, Path(name))


def _beside(path: Path | None, file: Path) -> Path:
    """A file that is named in the scene file at ``path``."""
    return Path(os.path.normpath(path.parent / file if path else file))


def _shape(table: Table) -> Shape:
    kind = SHAPES[table.choice("shape", SHAPES)]
    shape = kind(**table.take_fields(kind))
    repeat = table.table("repeat")
    return shape if repeat is None else Repeated(shape, _repeat(repeat))


def _repeat(table: Table) -> Repeat:
    """A grid if it has two counts."""
    if isinstance(table.content.get("count"), list):
        return table.made(Grid)
    pitch = table.content.get("pitch")
    if isinstance(pitch, list) and any(isinstance(entry, list) for entry in pitch):
        raise ItemError(
            "pitch is that of a grid, and count that of a row",
            remedy="Give two counts, such as count = [5, 4], or one vector, such as [0.5, 0].",
            item=(*table.path, "pitch"),
        )
    return table.made(Row)


def _hole(table: Table, number: int) -> Hole:
    name = table.take("name", as_text, f"hole {number}")
    return table.made(Hole, name=name, shape=_shape(table))


def _material(table: Table, number: int, system: System) -> MaterialRegion:
    name = table.take("name", as_text, f"material {number}")
    material = medium_said(table, system)
    shape = _shape(table) if table.take("shape", as_text, None) is not None else None
    return table.made(MaterialRegion, name=name, material=material, shape=shape)


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


def _probe(table: Table, number: int, system: System) -> Probe:
    table = quantity_asked(table, FIELDS, system)
    return table.made(Probe, name=table.take("name", as_text, f"probe {number}"))


def _label(table: Table, number: int) -> TextLabel:
    return table.made(TextLabel, name=table.take("name", as_text, f"label {number}"))


def _monitor(table: Table, number: int, system: System) -> Monitor:
    kind = MONITORS[table.choice("kind", MONITORS)]
    monitor: Monitor = _with_shape(quantity_asked(table, FIELDS, system), kind, f"monitor {number}")
    return monitor


def _view(table: Table | None, system: System) -> View:
    view: View = _plain(table and quantity_asked(table, QUANTITIES, system), View)
    return view
