"""One table of a scene file: typed values out, everything unexpected refused."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, fields
from typing import Any, NoReturn, TypeVar

from wavelab.scene.formulas.formula import NO_PARAMETERS
from wavelab.scene.model.item_error import ItemError, ItemPath, require_one_of, suggestion
from wavelab.scene.toml.toml_values import as_text, converter, field_types, wrong_type

T = TypeVar("T")


class Table:
    """A table of a parsed TOML file and the path that leads to it.

    Every ``take`` marks its key as known; :meth:`finish` refuses the keys that nobody took.

    Attributes
    ----------
    parameters : of the scene, for the numbers and formulas in this table and those below it.
    """

    def __init__(
        self,
        content: dict[str, Any],
        path: ItemPath = (),
        parameters: Mapping[str, float] = NO_PARAMETERS,
    ) -> None:
        self.content = content
        self.path = path
        self.parameters = parameters
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
        types = field_types(kind)
        return {
            f.name: self.take(
                f.name, converter(types[f.name], f, variables, self.parameters), _default(f)
            )
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
        return self._knowing(self.take(key, as_table, None))

    def tables(self, key: str) -> list[Table]:
        """The array of tables under a key, empty if there is none."""
        return [self._knowing(table) for table in self.take(key, as_tables, [])]

    def needed_table(self, key: str) -> Table:
        """The table under a key.

        Raises
        ------
        ItemError : there is none.
        """
        return self._knowing(self.take(key, as_table))

    def _knowing(self, table: T) -> T:
        """A table below this one."""
        if isinstance(table, Table):
            table.parameters = self.parameters
        return table

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


def as_table(value: Any, item: ItemPath) -> Table:
    if not isinstance(value, dict):
        raise wrong_type(value, item, f"a table: a line [{item[-1]}] and keys below it")
    return Table(value, item)


def as_tables(value: Any, item: ItemPath) -> list[Table]:
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        raise wrong_type(value, item, f"an array of tables: each begins with [[{item[-1]}]]")
    return [Table(entry, (*item, i)) for i, entry in enumerate(value)]


def _default(f: Field) -> Any:
    return f.default_factory() if f.default_factory is not MISSING else f.default
