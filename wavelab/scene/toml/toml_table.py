"""One table of a scene file: typed values out, everything unexpected refused."""

from __future__ import annotations

import difflib
import types
import typing
from collections.abc import Callable, Iterable
from dataclasses import MISSING, Field, fields
from typing import Any, NoReturn, TypeVar

from wavelab.errors import FormulaError
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.item_error import ItemError, ItemPath, label, require_one_of, suggestion
from wavelab.scene.model.shapes import Point

T = TypeVar("T")

_TYPE_NAMES = {
    bool: "a boolean",
    int: "a whole number",
    float: "a number",
    str: "a text",
    list: "an array",
    dict: "a table",
}


class Table:
    """A table of a parsed TOML file and the path that leads to it.

    Every ``take`` marks its key as known; :meth:`finish` refuses the keys that nobody took.
    """

    def __init__(self, content: dict[str, Any], path: ItemPath = ()) -> None:
        self.content = content
        self.path = path
        self._known: list[str] = []

    def __contains__(self, key: str) -> bool:
        return key in self.content

    def take(self, key: str, convert: Callable[[Any, ItemPath], T], default: Any = MISSING) -> T:
        """The converted value of a key, or the default.

        Raises
        ------
        ItemError : the key is missing and has no default, or its value has the wrong type.
        """
        self._known.append(key)
        if key in self.content:
            return convert(self.content[key], (*self.path, key))
        if default is MISSING:
            self.missing(
                key, f"Add a [{key}] table." if convert is as_table else f"Add {key} = ..."
            )
        return default

    def missing(self, key: str, remedy: str) -> NoReturn:
        """Refuse the table because it lacks a key.

        Raises
        ------
        ItemError : names the misspelt key where there is one, else says ``remedy``.
        """
        unknown = [name for name in self.content if name not in self._known]
        for misspelt in difflib.get_close_matches(key, unknown, n=1):
            raise ItemError(
                f"unknown key {misspelt} in {self.place}",
                remedy=f'Did you mean "{key}"? It is missing.',
                item=(*self.path, misspelt),
            )
        raise ItemError(f"{self.place} has no {key}", remedy=remedy, item=self.path)

    @property
    def place(self) -> str:
        """What messages call this table."""
        match self.path:
            case ():
                return "the scene"
            case (name,):
                return f"[{name}]"
            case (name, int()):
                return f"[[{name}]]"
            case (*_, str() as name, int() as number):
                return f"entry {number + 1} of {name}"
        return str(self.path[-1])

    def take_fields(
        self, kind: type[T], variables: tuple[str, ...] = (), without: Iterable[str] = ()
    ) -> dict[str, Any]:
        """Values for the fields of a dataclass, from the keys of the same names.

        Parameters
        ----------
        variables : of formulas whose field does not say so itself.
        without : fields that are not keys of this table.
        """
        hints = typing.get_type_hints(kind)
        return {
            f.name: self.take(f.name, converter(hints[f.name], f, variables), _default(f))
            for f in fields(kind)  # type: ignore[arg-type]
            if f.name not in without
        }

    def made(self, kind: type[T], variables: tuple[str, ...] = (), **given: Any) -> T:
        """A dataclass of :meth:`take_fields` and of the fields that are ``given``; the table has no
        other keys."""
        values = self.take_fields(kind, variables, given)
        self.finish()
        return kind(**given, **values)

    def table(self, key: str) -> Table | None:
        """The table under a key, None if there is none."""
        return self.take(key, as_table, None)

    def tables(self, key: str) -> list[Table]:
        """The array of tables under a key, empty if there is none."""
        return self.take(key, as_tables, [])

    def choice(self, key: str, allowed: Iterable[str], default: Any = MISSING) -> str:
        """A text that must be one of a few."""
        value = self.take(key, as_text, default)
        require_one_of(value, allowed, (*self.path, key), key)
        return value

    def finish(self) -> None:
        """Refuse keys that nobody took.

        Raises
        ------
        ItemError : names the first unknown key and the closest known one.
        """
        for key in self.content:
            if key not in self._known:
                raise ItemError(
                    f"unknown key {key} in {self.place}",
                    remedy=suggestion(key, dict.fromkeys(self._known), "Known here"),
                    item=(*self.path, key),
                )


def as_number(value: Any, item: ItemPath) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _wrong_type(value, item, "a number")
    try:
        return float(value)
    except OverflowError:
        raise ItemError(f"{label(item)} is too large", item=item) from None


def as_integer(value: Any, item: ItemPath) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise _wrong_type(value, item, "a whole number")
    return value


def as_boolean(value: Any, item: ItemPath) -> bool:
    if not isinstance(value, bool):
        raise _wrong_type(value, item, "true or false")
    return value


def as_text(value: Any, item: ItemPath) -> str:
    if not isinstance(value, str):
        raise _wrong_type(value, item, "a text in quotes")
    return value


def as_point(value: Any, item: ItemPath) -> Point:
    if not isinstance(value, list) or len(value) != 2:
        raise _wrong_type(value, item, "two numbers, such as [0.5, 1.0]")
    return (as_number(value[0], (*item, 0)), as_number(value[1], (*item, 1)))


def _array_of(
    convert: Callable[[Any, ItemPath], T], expected: str
) -> Callable[[Any, ItemPath], tuple[T, ...]]:
    def as_array(value: Any, item: ItemPath) -> tuple[T, ...]:
        if not isinstance(value, list):
            raise _wrong_type(value, item, f"an array of {expected}")
        return tuple(convert(entry, (*item, i)) for i, entry in enumerate(value))

    return as_array


def as_table(value: Any, item: ItemPath) -> Table:
    if not isinstance(value, dict):
        raise _wrong_type(value, item, f"a table: a line [{item[-1]}] and keys below it")
    return Table(value, item)


def as_tables(value: Any, item: ItemPath) -> list[Table]:
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        raise _wrong_type(value, item, f"an array of tables: each begins with [[{item[-1]}]]")
    return [Table(entry, (*item, i)) for i, entry in enumerate(value)]


def as_formula(value: Any, item: ItemPath, variables: tuple[str, ...]) -> Formula:
    if not isinstance(value, str):
        value = as_number(value, item)
    try:
        return Formula.parse(value, variables)
    except FormulaError as error:
        raise ItemError(error.message, remedy=error.remedy, item=item) from None


_CONVERTERS: dict[Any, Callable[[Any, ItemPath], Any]] = {
    float: as_number,
    int: as_integer,
    bool: as_boolean,
    str: as_text,
    Point: as_point,
    tuple[Point, ...]: _array_of(as_point, "points, such as [[0, 0], [1, 0], [0, 1]]"),
    tuple[str, ...]: _array_of(as_text, 'texts, such as ["domain.left"]'),
    tuple[float, ...]: _array_of(as_number, "numbers, such as [1.0, 2.5]"),
}


def converter(
    hint: Any, of_field: Field, variables: tuple[str, ...]
) -> Callable[[Any, ItemPath], Any]:
    """Takes a value of a field, as a TOML file has it, to the type of the field.

    Parameters
    ----------
    variables : of a formula, unless the field says so itself.
    """
    names = of_field.metadata.get("variables", variables)
    if hint == float | Formula:
        return lambda value, item: (
            as_formula(value, item, names) if isinstance(value, str) else as_number(value, item)
        )
    if isinstance(hint, types.UnionType):  # X | None
        hint = next(t for t in typing.get_args(hint) if t is not type(None))
    if hint is Formula:
        return lambda value, item: as_formula(value, item, names)
    return _CONVERTERS[hint]


def _default(f: Field) -> Any:
    return f.default_factory() if f.default_factory is not MISSING else f.default


def _wrong_type(value: Any, item: ItemPath, expected: str) -> ItemError:
    if isinstance(value, list) and value:
        numbers = all(type(entry) in (int, float) for entry in value)
        what = "number" if numbers else "entry"
        many = {"number": "numbers", "entry": "entries"}[what]
        got = f"has {len(value)} {what if len(value) == 1 else many}"
    else:
        got = f"is {_TYPE_NAMES.get(type(value), 'a date or time')}"
    return ItemError(f"{label(item)} {got}", remedy=f"It must be {expected}.", item=item)
