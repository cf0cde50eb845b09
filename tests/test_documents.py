"""The documents are true: their scenes load, and they leave no key out."""

from __future__ import annotations

import re
import shlex
import warnings
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

import wavelab
from wavelab.cli import COMMANDS, window
from wavelab.errors import WavelabError
from wavelab.output.palette import PALETTES
from wavelab.scene.formulas.formula_functions import FUNCTIONS
from wavelab.scene.model import scene as model
from wavelab.scene.model.shapes import SHAPES
from wavelab.scene.model.view import View
from wavelab.scene.monitors import MONITORS
from wavelab.scene.poles import POLES
from wavelab.scene.shelf import shipped_scenes
from wavelab.scene.sources import SOURCES
from wavelab.scene.systems import SYSTEMS
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.scene.view.quantities import QUANTITIES
from wavelab.scene.walls import WALLS
from wavelab.scene.waveforms import WAVEFORMS
from wavelab.simulation.verification.cases import CASES

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = [ROOT / "README.md", ROOT / "docs" / "scene_format.md"]
FORMAT = (ROOT / "docs" / "scene_format.md").read_text(encoding="utf-8")

#: What an example that shows one table only lacks of a whole scene.
REST = {
    "[domain]": '[domain]\nshape = "rectangle"\nlower = [0, 0]\nupper = [1, 1]\n',
    "[solver]": "[solver]\nelement_size = 0.1\n",
}


def examples() -> list:
    return [
        pytest.param(text, id=f"{document.stem}-{number}")
        for document in DOCUMENTS
        for number, text in enumerate(
            re.findall(r"^```toml\n(.*?)^```", document.read_text(encoding="utf-8"), re.M | re.S)
        )
    ]


@pytest.mark.parametrize("text", examples())
def test_every_example_is_a_scene(text):
    for header, table in REST.items():
        if header not in text:
            text = f"{text}\n{table}"
    parse_scene(text)


@pytest.mark.parametrize(
    "kind",
    [
        model.Material,
        model.Probe,
        model.Ping,
        model.FieldFormulas,
        model.Parameter,
        model.Solver,
        View,
        *SOURCES.values(),
        *MONITORS.values(),
        *WAVEFORMS.values(),
        *POLES.values(),
        *SHAPES.values(),
        *WALLS.values(),
        *(s.medium for s in SYSTEMS.values()),
        *(s.fields for s in SYSTEMS.values()),
        *(kind for s in SYSTEMS.values() for kind in s.walls.values()),
    ],
)
def test_every_key_is_described(kind):
    for field in fields(kind):
        assert re.search(rf"`{field.name}`", FORMAT), f"{kind.__name__}.{field.name}"


def test_every_choice_is_described():
    for word in (*SHAPES, *WALLS, *SOURCES, *MONITORS, *WAVEFORMS, *POLES, *PALETTES, *QUANTITIES):
        assert f'"{word}"' in FORMAT, word
    for system in SYSTEMS.values():
        for word in (system.key, *system.walls, system.size.key):
            assert f'"{word}"' in FORMAT, word
    listed = re.search(r"^`(sin .*)`$", FORMAT, re.M)
    assert listed is not None
    assert set(listed[1].split()) == set(FUNCTIONS)


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=lambda system: system.key)
def test_a_system_has_a_row_with_all_its_words_and_numbers(system):
    """Its media with their defaults, walls, that of unnamed edges first, and fields in order."""
    row = next(re.finditer(rf'^\| `"{system.key}"` \| (.*) \|$', FORMAT, re.M))
    media, walls, shown, size = row[1].split(" | ")
    numbers = {f.name: f.default for f in fields(system.medium)}
    for name, default in re.findall(r"`(\w+)`(?: = (\S+?))?(?:,|$)", media):
        found = numbers.pop(name)
        assert (f"{found:g}" if found else "" if found in ((), None) else "0") == default
    assert not numbers
    own = {
        name for name, kind in system.walls.items() if not (kind.matched or kind.pml or kind.glues)
    }
    named = re.findall(r'"(\w+)"', walls)
    assert set(named) == own
    assert system.walls[named[0]] is system.unnamed
    known = [system.scalar, system.x, system.y, *([system.integral] if system.integral else [])]
    keys = [f.key for f in known]
    if system.others:  # of equations with other fields
        keys = [f.name for f in fields(system.fields)]
    assert re.findall(r"`(\w+)`", shown) == keys
    assert size == f'`"{system.size.key}"`'


def test_a_system_stands_in_all_tables_of_systems():
    """That of units, and with its equations that of docs/systems.md."""
    units = FORMAT.partition("A time unit is what a wave")[2].partition("\n\nSo with")[0]
    equations = (ROOT / "docs" / "systems.md").read_text(encoding="utf-8")
    for system in SYSTEMS.values():
        word = f'`"{system.key}"`'
        assert re.search(rf"^\|[^|]*{word}", units, re.M), f"units of {word}"
        of_scalar = re.search(rf"^\| {word}", equations, re.M)
        assert of_scalar or system.equations != "maxwell", f"docs/systems.md: {word}"
    walls = FORMAT.partition("| wall | at the wall |")[2].partition("\n\n")[0]
    for system in list(SYSTEMS.values())[1:]:  # those of light have a section of their own
        for name, kind in system.walls.items():
            if kind not in WALLS.values():
                row = rf'^\| `"{name}"`(?: of `"{system.key}"`)? \|'
                assert re.search(row, walls, re.M), f"{name} of {system.key}"


def test_defaults_are_as_described():
    for kind in (model.Solver, View, model.Material):
        for field in fields(kind):
            row = re.search(rf"^\| `{field.name}` \| (.*?) \|", FORMAT, re.M)
            assert row is not None, field.name
            if field.name not in ("element_size", "limit"):
                default = field.default if field.default != () else None
                expected = f"{default:g}" if isinstance(default, float) else str(default)
                assert row[1].strip('`"').lower() == expected.lower(), field.name


def python_examples() -> list:
    return [
        pytest.param(text, id=f"{document.stem}-{number}")
        for document in (ROOT / "README.md", ROOT / "docs" / "api.md")
        for number, text in enumerate(
            re.findall(r"^```python\n(.*?)^```", document.read_text(encoding="utf-8"), re.M | re.S)
        )
    ]


@pytest.mark.parametrize("text", python_examples())
def test_every_example_of_python_runs(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", wavelab.Notice)
        exec(text, {"wavelab": wavelab, "np": np})


def mentioned_commands() -> list[str]:
    """What stands in the documents as ``wavelab ...``, on a line of its own or in a sentence."""
    documents = (ROOT / "README.md", *(ROOT / "docs").glob("*.md"), ROOT / "meshes" / "README.md")
    texts = (document.read_text(encoding="utf-8") for document in documents)
    found = {
        words.strip()
        for text in texts
        for words in re.findall(r"(?:^ {4}|`)wavelab ([^`#|>\n]+)", text, re.M)
    }
    return sorted(found)


def parsed(words: list[str]):
    if words[0] in COMMANDS:
        return COMMANDS[words[0]].parser().parse_args(words[1:])
    return window.parser(list(COMMANDS.values())).parse_args(words)


@pytest.mark.parametrize("text", mentioned_commands())
def test_every_command_can_be_given(text):
    # "orders N" and "elements K" stand for numbers.
    words = [{"N": "3", "K": "100"}.get(word, word) for word in shlex.split(text)]
    try:
        arguments = parsed(words)
    except WavelabError as error:
        if words[1:] == [] and words[0] in COMMANDS and "required: " in error.message:
            return  # a sentence names the command
        if "required: SCENE" not in error.message:
            raise
        arguments = parsed([*words, "welcome"])  # a sentence about the command, for any scene
    scene = getattr(arguments, "scene", None)
    for name in [scene] if isinstance(scene, str) else scene or ():
        assert name in shipped_scenes() or name == "FILE" or Path(name).suffix
    for name in getattr(arguments, "case", None) or ():
        assert name in CASES
