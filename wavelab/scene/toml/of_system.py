"""What a scene file says in the words of its system: media, walls, fields and quantities.

A word of other waves is refused with the name of the system that it is of.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import MISSING, fields

from wavelab.scene.model.item_error import ItemError, require_one_of, suggestion
from wavelab.scene.model.medium import Medium
from wavelab.scene.model.scene import NamedFields, Wall
from wavelab.scene.poles import POLES, Pole
from wavelab.scene.systems import SYSTEMS, System
from wavelab.scene.toml.toml_table import Table
from wavelab.scene.toml.toml_values import as_text
from wavelab.scene.view.quantities import offered

#: Names of the words of one kind that a system has.
Words = Callable[[System], Iterable[str]]


def system_said(top: Table, usual: str = "light") -> System:
    """What the waves are, on which what else there may be depends."""
    return SYSTEMS[top.choice("physics", SYSTEMS, usual)]


def background_said(table: Table | None, system: System) -> Medium:
    if table is None:
        default: Medium = system.medium()
        return default
    material = medium_said(table, system)
    table.finish()
    return material


def medium_said(table: Table, system: System) -> Medium:
    kind = system.medium
    _refuse_foreign(table, system, lambda s: (f.name for f in fields(s.medium)))
    poles = [f.name for f in fields(kind) if f.name in ("poles", "magnetic_poles")]
    values = table.take_fields(kind, without=poles)
    values |= {name: tuple(map(_pole, table.tables(name))) for name in poles}
    for name, of in kind.instead.items():
        if name in table and of.name in table:
            raise ItemError(
                f"{table.place} has both {of.name} and {name}",
                remedy=f"Give one of them: {of.law(name)}.",
                item=(*table.path, name),
            )
    medium: Medium = kind(**values)
    return medium


def _pole(table: Table) -> Pole:
    return table.made(POLES[table.choice("kind", POLES)])


def fields_said(
    table: Table | None, system: System, variables: tuple[str, ...]
) -> NamedFields | None:
    if table is None:
        return None
    _refuse_foreign(table, system, lambda s: (f.name for f in fields(s.fields)))
    found: NamedFields = table.made(system.fields, variables)
    return found


def wall_said(table: Table, number: int, system: System) -> Wall:
    walls, usual = system.walls, system.kind_of(system.unnamed(()))
    name, what = table.take("kind", as_text, usual), f"wall {number}"
    _require(name, system, lambda s: s.walls, table, "kind", f"kind of {what}")
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


def quantity_asked(table: Table, kinds: Collection[str], system: System) -> Table:
    """The table with the program's own name of the field that is shown or recorded, which is one of
    ``kinds``."""
    key = "quantity"
    if isinstance(name := table.content.get(key), str):

        def words(of: System) -> Iterable[str]:
            return (of.names.get(kind, kind) for kind in offered(of) if kind in kinds)

        _require(name, system, words, table, key, key)
        table.content = {**table.content, key: system.asked(name)}
    return table


def _refuse_foreign(table: Table, system: System, words: Words) -> None:
    """Keys that other systems have."""
    for key in table.content:
        if key not in words(system) and (owners := _owners(key, words)):
            raise ItemError(
                f"{table.place} has {key}, which is for {owners}",
                remedy=f'With physics = "{system.key}" it can have {", ".join(words(system))}.',
                item=(*table.path, key),
            )


def _require(value: str, system: System, words: Words, table: Table, key: str, what: str) -> None:
    """Refuse what is no word of the system."""
    item, allowed = (*table.path, key), tuple(words(system))
    if value not in allowed and (owners := _owners(value, words)):
        raise ItemError(
            f'{what} is "{value}", which is for {owners}',
            remedy=suggestion(value, allowed, f'With physics = "{system.key}" it can be'),
            item=item,
        )
    require_one_of(value, allowed, item, what)


def _owners(word: str, words: Words) -> str:
    """The systems that have a word."""
    owners = [f'"{s.key}"' for s in SYSTEMS.values() if word in words(s)]
    return f"physics = {' and '.join(owners)}" if owners else ""
