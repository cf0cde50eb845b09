"""Bring the catalogues of translations up to date with the program: python -m scripts.messages

Adds what is new, untranslated, and takes out what nobody says any more.  Prints what is left to do.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path

from wavelab.app.language.catalogue import OFFERED, path_of, read_catalogue, written_catalogue
from wavelab.app.language.templates import FIELD, PLURAL
from wavelab.app.tools.drawing.ready_made import READY_MADE
from wavelab.paths import ASSETS, SCENES
from wavelab.scene.media.library import entries
from wavelab.scene.model.labels import TextLabel
from wavelab.scene.model.parameter import Parameter
from wavelab.scene.model.scene import (
    Hole,
    MaterialRegion,
    Probe,
    Solver,
    Wall,
)
from wavelab.scene.model.shapes import REPEATS, SHAPES, Repeated
from wavelab.scene.monitors import MONITORS
from wavelab.scene.poles import POLES
from wavelab.scene.sources import SOURCES
from wavelab.scene.systems import SYSTEMS
from wavelab.scene.waveforms import WAVEFORMS

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "wavelab"
#: The language of commands and files is English, and so is what only they say.
SILENT = (
    "cli", "api", "__init__.py", "benchmark", "diagnosis", "app/language",
    "app/canvas/screen_facts.py",
    "app/canvas/field/opengl_", "app/base/theme.py", "simulation/verification",
    "simulation/headless", "simulation/sweeps", "simulation/tuning", "simulation/records",
    "simulation/studies/modes/mode_files", "simulation/studies/bands/band_files",
    "simulation/studies/scattering",
    "simulation/steppers/self_test.py", "simulation/steppers/opening.py",
    "simulation/steppers/device_facts.py", "meshing/formats/gambit_writer.py",
    "meshing/formats/vtu_writer.py", "opencl/variants", "opencl/local_time", "opencl/extensions",
    "opencl/persistent", "opencl/tuning", "opencl/yee.py", "opencl/device/device_profile.py",
    "output/figures/pdf.py", "output/figures/svg.py", "output/files/vtu.py",
    "output/files/touchstone.py", "output/files/snapshot.py", "output/files/measurements.py",
    "timeline.py", "ctrl_c.py", "pool.py", "schemes.py", "numerics/time",
    "scene/formulas/formula_separation.py", "scene/toml/toml_writer.py",
    "scene/formulas/given_function.py", "scene/waveforms/given_waveform.py", "scene/shelf.py",
    "opencl/device/forks.py", "meshing/parts", "simulation/parts",
)  # fmt: skip
#: What these are given is no words of the window: defects of the program, patterns, the log.
UNSAID = {
    "AssertionError", "NotImplementedError", "ValueError", "TypeError", "RuntimeError", "KeyError",
    "compile", "debug", "exception", "span", "getLogger", "match", "fullmatch", "sub", "split",
    "findall", "setStyleSheet", "QKeySequence", "setProperty", "setObjectName", "findChild",
    "fromHex", "encode", "_grouped", "Thread", "of", "_setters", "startswith", "endswith",
    "Background", "setShortcut", "Relief", "muted_name", "labels_of",
}  # fmt: skip
#: Functions that return no words of the window.
UNSPOKEN = {"_setters", "formula", "function", "as_formula", "_formula", "table", "names_of"}
#: In these calls, fields and constants single words count too.
SPOKEN = {
    "tr", "tr_n", "Placing", "Number", "about", "ArrowKind", "Quantity", "_dock", "Section",
    "Remedy", "Edit", "Curve", "LinePlot", "label", "title", "tip", "tooltip", "text", "words",
    "explanation", "short", "heading", "summary", "linear", "buttons", "hint", "meaning", "noun",
    "effect", "gains", "note", "MENUS", "DOCKS", "GESTURES", "add_row", "switch", "Entry",
    "PURPOSES", "WAVES_IN", "COLUMNS", "MEANINGS", "SINGLE", "choices", "gestures",
    "__init__", "ProfileCurve", "Stage", "TimeSeries", "Spectrum", "say", "_text_page", "inform",
    "menu", "verdict", "edits", "said", "MIXED", "CALLED",
    "ReadyMade", "MEASURED", "EDITS", "open_file", "FLUXES", "ROWS", "KINDS", "tell",
}  # fmt: skip
#: Of these the keys are words too.
TITLED = {"MENUS", "DOCKS", "buttons", "inform", "groups"}
#: Looks like words, and is a key, an icon, a file or a program.
_NO_WORDS = re.compile(
    r"(ph\.|F\d)\S*|[a-z_]+(:|\.)[a-z_]+|(min|pow\w*|small_power|bessel_j)\(.*|"
    r".*(uniform |#define|void main|<span|kernel void|import time|sin\(\{|http:).*|"
    r"[a-z]+(_[a-z]+)+",
    re.DOTALL,
)
_SENTENCE = re.compile(r"[^\W\d_]{2,}[,;:)\u2026]? +[\w\u201c\"({\u2018]|[^\W\d_]+ [^\W\d_]{2,}")
_WORD = re.compile(r"[^\W\d_]{2,}")


def template_of(node: ast.JoinedStr) -> str:
    """An f-string with named fields."""
    names: dict[str, int] = {}
    parts = []
    for value in node.values:
        if isinstance(value, ast.Constant):
            parts.append(str(value.value).replace("{", "{{").replace("}", "}}"))
        elif isinstance(value, ast.FormattedValue):
            name = _name_of(value.value)
            names[name] = names.get(name, 0) + 1
            parts.append(f"{{{name}{names[name] if names[name] > 1 else ''}}}")
    return "".join(parts)


def _name_of(node: ast.expr) -> str:
    """A short name for what stands in a field."""
    text = ast.unparse(node)
    if text.startswith(("'s' *", "'s' if")):
        return PLURAL
    if isinstance(node, ast.Attribute):
        return node.attr.strip("_")
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name | ast.Attribute):
        return _name_of(node.value)
    if isinstance(node, ast.Call) and node.args:
        return _name_of(node.args[-1])
    names = [n.id for n in ast.walk(node) if isinstance(n, ast.Name)]
    names = [name for name in names if name not in ("len", "float", "str", "round", "abs")]
    return (names[0] if names else "value").strip("_").lower() or "value"


def messages(path: Path) -> Iterator[str]:
    """What a module says."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    yield from _Messages().found(tree)


class _Messages(ast.NodeVisitor):
    """Collects strings with what stands round them."""

    def found(self, tree: ast.Module) -> list[str]:
        self._said: list[str] = []
        self._around: list[str] = []
        self.visit(tree)
        return self._said

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring
            self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = ast.unparse(node.func).rpartition(".")[2]
        if name in UNSAID:
            return
        if name == "ActionInfo":
            for argument in (node.args[1], node.args[4]):
                self._within("text", argument)
            return
        self.visit(node.func)
        self._around.append(name)
        for argument in node.args:
            self.visit(argument)
        for keyword in node.keywords:
            self._within(keyword.arg or "", keyword.value)
        self._around.pop()

    def visit_Assign(self, node: ast.Assign) -> None:
        names = [name.id for name in ast.walk(node) if isinstance(name, ast.Name)]
        self._within(names[0].strip("_") if names else "", node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._within(getattr(node.target, "id", ""), node.value)

    def visit_Dict(self, node: ast.Dict) -> None:
        titles = bool(self._around) and self._around[-1] in TITLED
        for key, value in zip(node.keys, node.values, strict=True):
            if key is not None and (titles or not isinstance(key, ast.Constant)):
                self.visit(key)
            self.visit(value)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if node.name not in UNSPOKEN:
            for statement in node.body:
                self.visit(statement)

    def visit_Assert(self, node: ast.Assert) -> None:
        pass

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.visit(node.value)

    def visit_Compare(self, node: ast.Compare) -> None:
        pass

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        template = template_of(node)
        if _NO_WORDS.fullmatch(template):
            return
        if _SENTENCE.search(FIELD.sub("xx", template)) and _WORD.search(FIELD.sub("", template)):
            self._say(template)
        for value in node.values:
            if isinstance(value, ast.FormattedValue):
                self._within("", value.value)

    def visit_Constant(self, node: ast.Constant) -> None:
        text = node.value
        if not isinstance(text, str) or not _WORD.search(text) or _NO_WORDS.fullmatch(text):
            return
        spoken = bool(self._around) and self._around[-1] in SPOKEN
        if _SENTENCE.search(text) or spoken:
            self._say(text)

    def _say(self, text: str) -> None:
        """Of kinds of files, their names: those stand alone where they are looked up."""
        if "(*" in text or any("FILTER" in name for name in self._around[-1:]):
            parts = [kind.partition(" (") for kind in text.split(";;")]
            self._said += [name for name, patterns, _ in parts if patterns]
        else:
            self._said.append(text)

    def _within(self, name: str, node: ast.expr) -> None:
        self._around.append(name)
        self.visit(node)
        self._around.pop()


#: What is put together of a noun, or the name of a field, and a name or a number.
JOINED = (
    '1 element is in "{names}" and in "{name}"; "{names2}" holds',
    '{count} elements are in "{names}" and in "{name}"; "{names2}" holds',
    '"{suffix}" is no mesh file that wavelab can read', "It reads {known}.",
    '"{suffix}" is no mesh file that wavelab can write', "It writes {known}.",
    "the field is not finite any more {place}, after t = {last_good}",
    "the field grows without bound {place}, after t = {last_good}",
    "about {n} minutes", "about {n} hours", "about {n} days", "about {n} years",
    "mean {field}\u00b2", "source {name}", "probe {name}", "monitor {name}", "obstacle {name}",
    "hole {name}", "material {name}", "wall {name}", "label {name}", "parameter {name}",
    "Pole {number} {what}", "Magnetic pole {number} {what}", "Waveform {what}", "Material {what}",
    "Repeat count", "Repeat pitch", "Repeat without",
    "focal length", "aperture", "thickness", "length", "width", "side", "losses", "poles", "axes",
)  # fmt: skip


def kind_messages() -> Iterator[str]:
    """Names of kinds and of their fields, which the form shows, and of ready-made objects."""
    yield from JOINED
    yield from (what.name for what in READY_MADE.values())
    systems = SYSTEMS.values()
    for system in systems:
        yield from (system.label, system.meaning)
        for shown in system.shown.values():
            yield from (shown.label, shown.symbol)
        yield from entries(system.key)
    walls = {name: kind for s in systems for name, kind in s.walls.items()}
    kinds = (walls, SOURCES, MONITORS, WAVEFORMS, POLES, SHAPES, REPEATS)
    items = (
        Hole, MaterialRegion, Repeated, Wall, Probe, Solver, TextLabel, Parameter,
        *(kind for system in systems for kind in (system.medium, system.fields)),
    )  # fmt: skip
    for name in (name for registry in kinds for name in registry):
        yield name.replace("_", " ")
    for kind in (*(kind for registry in kinds for kind in registry.values()), *items):
        for field in fields(kind):
            yield field.name.replace("_", " ").capitalize()
            yield from (choice.replace("_", " ") for choice in field.metadata.get("choices", ()))
    yield from ("true", "false", "none", "Kind")


def shelf_messages() -> Iterator[tuple[str, str]]:
    """(text, file) of the titles, descriptions and parameters of the shipped scenes, and of their
    groups."""
    shelf = tomllib.loads((ASSETS / "shelf.toml").read_text(encoding="utf-8"))
    for group in shelf["groups"]:
        yield group["title"], "assets/shelf.toml"
    for path in sorted(SCENES.glob("*.toml")):
        scene = tomllib.loads(path.read_text(encoding="utf-8"))
        said = [scene.get("title"), scene.get("description")]
        said += [each.get("label") for each in scene.get("parameters", {}).values()
                 if isinstance(each, dict)]  # fmt: skip
        yield from ((text, f"assets/scenes/{path.name}") for text in said if text)


@cache
def all_messages() -> dict[str, list[str]]:
    """All that the window can say -> the files that say it."""
    places: dict[str, list[str]] = {}

    def add(text: str, place: str) -> None:
        files = places.setdefault(text.strip(), [])
        if place not in files:
            files.append(place)

    for path in sorted(PACKAGE.rglob("*.py")):
        inside = path.relative_to(PACKAGE).as_posix()
        if not inside.startswith(SILENT):
            for text in messages(path):
                add(text, f"wavelab/{inside}")
    for text in kind_messages():
        if _WORD.search(text):
            add(text, "wavelab/scene")
    for text, place in shelf_messages():
        add(text, place)
    return places


def main() -> int:
    places = all_messages()
    for language in OFFERED[1:]:
        path = path_of(language.code)
        known = read_catalogue(path.read_text(encoding="utf-8")) if path.is_file() else {}
        new = {text: known.get(text, "") for text in places}
        path.write_text(written_catalogue(language.code, new, places), encoding="utf-8")
        left = [text for text, translation in new.items() if not translation]
        print(f"{path}: {len(new)} texts, {len(left)} untranslated")
    return 0


if __name__ == "__main__":
    sys.exit(main())
