"""Other words in place of the names of parameters, wherever a scene uses them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from wavelab.scene.formulas.expression import EXPRESSIONS, WholeExpression
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.formulas.formula_words import words_of
from wavelab.scene.model.item_error import ItemPath
from wavelab.scene.model.parameter import Parameter
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.walking import changed_leaves
from wavelab.scene.rules.parameter_rules import check_parameters
from wavelab.scene.rules.validate import check_scene


def renamed(scene: Scene, old: str, new: str) -> Scene:
    """A parameter with another name, and all that follows it.

    Raises
    ------
    ItemError : it cannot have this name.
    """
    named = tuple(replace(p, name=new) if p.name == old else p for p in scene.parameters)
    check_parameters(named)
    values = {p.name: float(p.value) for p in named}
    rest = replace(scene, parameters=named)
    return check_scene(changed_leaves(rest, put_in({old: new}, values)))


def without_parameters(scene: Scene, names: Sequence[str]) -> Scene:
    """All that follows these parameters has what they are now in their place: a number, or the
    formula that one of them was.

    Raises
    ------
    FormulaError : a formula would be too long.
    """
    new = scene
    for parameter in reversed([p for p in scene.parameters if p.name in names]):
        kept = tuple(p for p in new.parameters if p.name != parameter.name)
        values = {p.name: float(p.value) for p in kept}
        rest = replace(new, parameters=kept)
        new = changed_leaves(rest, put_in({parameter.name: _literal(parameter)}, values))
    check_parameters(new.parameters)
    return check_scene(new)


def put_in(words: Mapping[str, str], values: Mapping[str, float]) -> Callable[[Any, ItemPath], Any]:
    """Makes a leaf of a scene that has other words in place of some names."""

    def put(leaf: Any, item: ItemPath) -> Any:
        if isinstance(leaf, EXPRESSIONS):
            names, text = leaf.names, leaf.text
        elif isinstance(leaf, Formula):
            names, text = leaf.parameter_names, leaf.text
        else:
            return leaf
        if not words.keys() & set(names):
            return leaf
        text = _worded(text, words)
        if isinstance(leaf, Formula):
            return Formula.parse(text, leaf.variables, values)
        found = type(leaf).of(text, values)
        if found.names:
            return found
        return int(found) if isinstance(found, WholeExpression) else float(found)

    return put


def number_text(value: float) -> str:
    """A number as a formula takes it."""
    text = str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return f"({text})" if value < 0 else text


def _literal(parameter: Parameter) -> str:
    value = parameter.value
    if isinstance(value, EXPRESSIONS) and value.names:
        return f"({value.text})"
    return number_text(float(value))


def _worded(text: str, words: Mapping[str, str]) -> str:
    for word in reversed(words_of(text)):
        if word.kind == "name" and word.text in words:
            at = word.column - 1
            text = f"{text[:at]}{words[word.text]}{text[at + len(word.text) :]}"
    return text
