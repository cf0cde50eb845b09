"""Scene files: what is saved comes back, and what is wrong is refused with its place."""

from __future__ import annotations

import os
import pickle
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
import tomli_w
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.scene.strategies import scenes
from wavelab.errors import OutputError, SceneError
from wavelab.scene.model.scene import Scene, Solver
from wavelab.scene.model.shapes import Ellipse, Polygon, Rectangle
from wavelab.scene.rules.validate import check_scene
from wavelab.scene.toml.toml_io import dump_scene, load_scene, parse_scene, save_scene
from wavelab.scene.toml.toml_lines import key_lines
from wavelab.scene.walls import PeriodicWall

BOX = """\
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [2, 1]

[solver]
element_size = 0.1
"""
HERE = Path(__file__).resolve()


@settings(max_examples=60, deadline=None)
@given(scenes())
def test_round_trip_is_exact(scene: Scene) -> None:
    text = dump_scene(check_scene(scene))
    assert parse_scene(text) == scene
    assert dump_scene(parse_scene(text)) == text
    assert pickle.loads(pickle.dumps(scene)) == scene


@settings(max_examples=20, deadline=None)
@given(scenes(path=HERE.parent / "new.toml", mesh_file=HERE))
def test_round_trip_with_a_mesh_file(scene: Scene) -> None:
    text = dump_scene(scene)
    assert f'mesh = "{HERE.name}"' in text
    # The elements are those of the file: no size is written that would have no effect.
    usual = replace(scene.solver, element_size=Solver().element_size)
    assert parse_scene(text, scene.path) == replace(scene, solver=usual)


def test_defaults_are_left_out() -> None:
    scene = Scene("Box", Solver(0.1), Rectangle((0.0, 0.0), (2.0, 1.0)))
    assert dump_scene(scene) == f'title = "Box"\n\n{BOX}'


def test_long_arrays_and_descriptions_are_wrapped() -> None:
    corners = tuple((0.1 * i, 0.01 * i * i) for i in range(40))
    words = " ".join(f'word{i} \\ "q"' for i in range(60))
    scene = Scene("Long", Solver(0.1), Polygon(corners), description=words)
    text = dump_scene(scene)
    assert max(map(len, text.splitlines())) <= 100
    assert parse_scene(text) == scene


def test_numbers_may_be_written_without_a_point() -> None:
    scene = parse_scene(BOX + "[initial]\nez = 1\n[background]\nepsilon = 4\n")
    assert scene.initial.ez is not None
    assert scene.initial.ez.evaluate(x=0.0, y=0.0) == 1
    assert type(scene.background.epsilon) is float


def test_names_and_titles_have_defaults(tmp_path: Path) -> None:
    (tmp_path / "box.toml").write_text(
        BOX + '[[holes]]\nshape = "ellipse"\ncenter = [1, 0.5]\nradii = [0.1, 0.2]\n'
        "[[probes]]\nposition = [0.5, 0.5]\n"
    )
    scene = load_scene(tmp_path / "box.toml")
    assert scene.title == "box"
    assert scene.path == tmp_path / "box.toml"
    assert scene.holes[0].name == "hole 1"
    assert scene.holes[0].shape == Ellipse((1.0, 0.5), (0.1, 0.2))
    assert scene.probes[0].name == "probe 1"
    assert parse_scene(BOX).title == "Untitled"


@pytest.mark.parametrize(
    ("text", "line", "key", "words"),
    [
        # unknown and missing keys
        (BOX + "oder = 3\n", 8, "solver.oder", 'Did you mean "order"'),
        (BOX + "[wals]\n", 8, "wals", 'Did you mean "walls"'),
        ('titel = "x"\n' + BOX, 1, "titel", 'Did you mean "title"'),
        ("[solver]\nelement_size = 0.1\n", 1, "", r"no domain\n  Add a \[domain\] table"),
        ("[domian]\nshape = 'ellipse'\n", 1, "domian", 'Did you mean "domain"'),
        ("[domain]\n", 1, "domain", "neither a shape nor a mesh file"),
        (
            '[domain]\nshape = "rectangle"\nlower = [0, 0]\n',
            1,
            "domain",
            r"\[domain\] has no upper",
        ),
        (
            '[domain]\nshape = "ellipse"\ncenter = [0, 0]\nradii = [3, 2]\n',
            1,
            "solver",
            "element_size = 0.3 about 20",
        ),
        (
            '[domain]\nshape = "ellipse"\ncenter = [0, 0]\nradii = [3, 2]\n[solver]\n'
            "element_sise = 0.1\n",
            6,
            "solver.element_sise",
            'Did you mean "element_size"',
        ),
        (
            '[domain]\nshape = "polygon"\nvertices = [[0, 0], [1, "x"]]\n',
            3,
            "domain.vertices",
            "vertices 2.2 is no number: .*unknown name x at column 1",
        ),
        (
            '[domain]\nshape = "polygon"\nvertices = [[0, 0], [1, 0], [1]]\n',
            3,
            "domain.vertices",
            "vertices 3 has 1 number\n  It must be two numbers",
        ),
        ('[domain]\nshape = "circle"\n', 2, "domain.shape", "It can be: polygon, rectangle, ell"),
        ('[domain]\nshape = "ellipsis"\n', 2, "domain.shape", 'Did you mean "ellipse"'),
        ('[domain]\nshape = "polygon"\nmesh = "a.msh"\n', 3, "domain.mesh", "both a shape and"),
        ('[domain]\nmesh = "nowhere.msh"\n', 2, "domain.mesh", "no mesh file"),
        # wrong types
        ("title = 3\n" + BOX, 1, "title", "title is a whole number\n.*a text in quotes"),
        ('domain = "box"\n', 1, "domain", r"domain is a text\n.*\[domain\]"),
        (BOX + "[walls]\n", 8, "walls", r"walls is a table\n.*\[\[walls\]\]"),
        (BOX + "order = 3.5\n", 8, "solver.order", "order is a number\n.*whole number"),
        (BOX + "order = true\n", 8, "solver.order", "order is a boolean"),
        (BOX + "until = true\n", 8, "solver.until", "until is a boolean"),
        (BOX + 'until = "2"\n', 8, "solver.until", "until is a text"),
        (BOX + "until = 2020-01-01\n", 8, "solver.until", "a date or time"),
        (BOX + f"until = 1{'0' * 400}\n", 8, "solver.until", "until is too large"),
        (BOX.replace("[2, 1]", "[2, 1, 3]"), 4, "domain.upper", "has 3 numbers\n.*two numbers"),
        (BOX.replace("[2, 1]", "[2, true]"), 4, "domain.upper", "upper 2 is a boolean"),
        (
            '[domain]\nshape = "polygon"\nvertices = [\n [0, 0], # a [ b\n [1]]\n',
            3,
            "domain.vertices",
            "has 1 number\n.*two numbers",
        ),
        (BOX + '[[walls]]\nedges = "domain"\n', 9, "walls.edges", "edges is a text\n.*array"),
        (BOX + "[initial]\nez = true\n", 9, "initial.ez", "ez is a boolean"),
        # numbers that are none, or out of their range
        (BOX.replace("[2, 1]", "[2, inf]"), 4, "domain.upper", "upper 2 is inf"),
        (BOX + "until = nan\n", 8, "solver.until", "until is nan"),
        (BOX + "[background]\nsigma = inf\n", 9, "background.sigma", "sigma is inf"),
        (BOX + "[background]\nmu = 0\n", 9, "background.mu", "mu of the background is 0"),
        (BOX + "[background]\nsigma = -1\n", 9, "background.sigma", "not be negative"),
        (BOX + "until = 0\n", 8, "solver.until", "greater than 0"),
        (BOX.replace("0.1", "-0.1"), 7, "solver.element_size", "is -0.1\n.*greater than 0"),
        (BOX + "order = 11\n", 8, "solver.order", "order is 11\n.*from 1 to 10"),
        (BOX + "order = 0\n", 8, "solver.order", "order is 0"),
        (BOX + "upwinding = 1.5\n", 8, "solver.upwinding", "from 0 .* to 1"),
        (BOX + 'precision = "doubel"\n', 8, "solver.precision", 'Did you mean "double"'),
        (BOX + 'stepper = "ck45"\n', 8, "solver.stepper", 'Did you mean "ck54"'),
        (BOX + "safety = 1.5\n", 8, "solver.safety", "at most 1"),
        (BOX + "[view]\npart = [[0, 1], [1, 0]]\n", 9, "view.part", "no rectangle"),
        (BOX + "[view]\npart = [[0, 1]]\n", 9, "view.part", "no rectangle"),
        (BOX + "[view]\nlimit = -2\n", 9, "view.limit", "limit is -2.0"),
        (BOX + '[view]\nquantity = "E"\n', 9, "view.quantity", "ez, hx, hy, h, energy"),
        (BOX.replace("[2, 1]", "[-2, 1]"), 4, "domain.upper", "to the right of and above"),
        (BOX.replace("[2, 1]", "[2, 1e13]"), 1, "domain", "larger unit of length"),
        (
            '[domain]\nshape = "polygon"\nvertices = [[0, 0], [1, 0], [0, 0]]\n'
            "[solver]\nelement_size = 1\n",
            3,
            "domain.vertices",
            "2 different vertices\n.*at least 3",
        ),
        # formulas
        (BOX + '[initial]\nez = "sin(x"\n', 9, "initial.ez", "ends too early"),
        (BOX + '[initial]\nez = "x*t"\n', 9, "initial.ez", "unknown name t at column 3"),
        (BOX + "[exact]\n", 8, "exact", "at least one of hx, hy, ez"),
        ("[[[[", 1, "", "not TOML"),
        ("a = 1\na = 2\n", 2, "", "not TOML: Cannot overwrite a value"),
        (BOX + "until = \n", 8, "", "not TOML: Invalid value at column 9"),
    ],
)
def test_wrong_scene(text: str, line: int, key: str, words: str) -> None:
    with pytest.raises(SceneError, match=words) as caught:
        parse_scene(text, "my.toml")
    assert caught.value.where == (f"my.toml:{line}: {key}" if key else f"my.toml:{line}")


ITEMS = """\
[[holes]]
name = "pillar"
shape = "rectangle"
lower = [0.4, 0.4]
upper = [0.6, 0.6]

[[materials]]
name = "glass"
shape = "ellipse"
center = [1, 0.5]
radii = [0.2, 0.2]

[[walls]]
edges = ["domain.left"]

[[sources]]
name = "lamp"
position = [0.2, 0.2]
radius = 0.05
amplitude = 1
waveform = { kind = "sine", frequency = 2 }

[[probes]]
name = "ear"
position = [1.5, 0.5]
"""


@pytest.mark.parametrize(
    ("old", "new", "line", "key", "words"),
    [
        ('name = "pillar"', 'name = "domain"', 9, "holes.name", "cannot be named"),
        ('name = "pillar"', 'name = "a.b"', 9, "holes.name", "cannot be named"),
        ('name = "pillar"', 'name = " a"', 9, "holes.name", "cannot be the name of a hole"),
        ('name = "ear"', 'name = ""', 31, "probes.name", "cannot be the name of a probe"),
        ('name = "glass"', 'name = "background"', 15, "materials.name", r"\[background\]"),
        ('name = "glass"', "epsilon = 0", 15, "materials.epsilon", 'material "material 1" is 0'),
        ('name = "glass"', "mu = -1", 15, "materials.mu", "greater than 0. Vacuum has 1"),
        ('name = "glass"', "mu = 1e16", 15, "materials.mu", "1e-15 to 1e\\+15 is possible"),
        (
            'name = "glass"',
            'epsilon = "2 + z"',
            15,
            "materials.epsilon",
            "unknown name z at column",
        ),
        ('name = "glass"', "mu = true", 15, "materials.mu", "mu is a boolean"),
        ("radii = [0.2, 0.2]", "radii = [0.2, 0]", 18, "materials.radii", '"glass" has the radii'),
        ("radii = [0.2, 0.2]", "half = 0.2", 14, "materials", r"\[\[materials\]\] has no radii"),
        ("radii = [0.2, 0.2]", "raddi = [1, 1]", 18, "materials.raddi", 'mean "radii"'),
        ("radius = 0.05", "radius = 0", 26, "sources.radius", 'radius of source "lamp" is 0'),
        (
            "amplitude = 1",
            "amplitude = -1e16",
            27,
            "sources.amplitude",
            '"lamp" is -1e\\+16\n  Val',
        ),
        ("frequency = 2", "frequency = 0", 28, "sources.waveform.frequency", "greater than 0"),
        ("frequency = 2", "pitch = 2", 28, "sources.waveform", "waveform has no frequency"),
        ("frequency = 2", "freq = 2", 28, "sources.waveform.freq", 'Did you mean "frequency"'),
        ("frequency = 2", "frequency = 2, ramp = -1", 28, "sources.waveform.ramp", "starts at on"),
        ('kind = "sine"', 'kind = "sin"', 28, "sources.waveform.kind", 'Did you mean "sine"'),
        ('["domain.left"]', "[]", 21, "walls.edges", "has no edges"),
        ('["domain.left"]', '["domain.let"]', 21, "walls.edges", 'Did you mean "domain.left"'),
        ('["domain.left"]', '["domain.4"]', 21, "walls.edges", "domain.bottom, domain.right"),
        ('["domain.left"]', '["pilar"]', 21, "walls.edges", 'Did you mean "pillar"'),
        ('["domain.left"]', '["pillar", "pillar"]', 21, "walls.edges", "named before"),
        ('["domain.left"]', '["domain"]\nkind = "mirror"', 22, "walls.kind", "conductor, magnetic"),
        (
            '["domain.left"]',
            '["domain"]\nkind = "impedance"',
            20,
            "walls.impedance",
            "has no impedance",
        ),
        ('["domain.left"]', '["domain"]\nimpedance = 1', 22, "walls.impedance", "its kind is cond"),
        ('["domain.left"]', '["domain"]\nthickness = 1', 22, "walls.thickness", "its kind is cond"),
        (
            '["domain.left"]',
            '["domain"]\nkind = "impedance"\nimpedence = 1',
            23,
            "walls.impedence",
            'Did you mean "impedance"',
        ),
        (
            '["domain.left"]',
            '["domain"]\nkind = "impedance"\nimpedance = -1',
            23,
            "walls.impedance",
            "not be negative",
        ),
        ('["domain.left"]', '["domain.left"]\nkind = "periodic"', 21, "walls.edges", "has 1 edge"),
        (
            '["domain.left"]',
            '["domain.left", "domain"]\nkind = "periodic"',
            21,
            "walls.edges",
            "not one straight edge",
        ),
        (
            '["domain.left"]',
            '["domain.left", "domain.top"]\nkind = "periodic"',
            21,
            "walls.edges",
            '"domain.left" is 1 long and "domain.top" 2',
        ),
        (
            '["domain.left"]',
            '["domain.left", "pillar.right"]\nkind = "periodic"',
            21,
            "walls.edges",
            '"domain.left" is 1 long and "pillar.right" 0.2',
        ),
    ],
)
def test_wrong_item(old: str, new: str, line: int, key: str, words: str) -> None:
    parse_scene(BOX + ITEMS)
    assert ITEMS.count(old) == 1
    with pytest.raises(SceneError, match=words) as caught:
        parse_scene(BOX + ITEMS.replace(old, new), "my.toml")
    assert caught.value.where == f"my.toml:{line}: {key}"


@pytest.mark.parametrize(
    "long",
    [
        '[[probes]]\nname = "{}"\nposition = [0.5, 0.5]',
        '[[walls]]\nedges = ["{}"]\nkind = "open"',
        '[[walls]]\nedges = ["domain"]\nkind = "{}"',
        "[solver.{}]\na = 1",
        '[background]\nepsilon = "{}"',
    ],
)
def test_what_has_no_end_is_not_repeated_in_messages(long):
    with pytest.raises(SceneError) as raised:
        parse_scene(BOX + long.format("x" * 100_000))
    assert len(str(raised.value)) < 2000


def test_a_number_of_thousands_of_digits_is_refused_in_words_of_scenes():
    with pytest.raises(SceneError, match="a whole number in it has thousands of digits"):
        parse_scene(f"a = {'9' * 5000}")


@pytest.mark.parametrize(
    "deep",
    ["a." * 20_000 + "a = 1", "b = {" + '"a.b".' * 20_000 + "a = 1}", "[" + "a . " * 999 + "a]"],
    ids=["dotted", "inline", "header"],
)
def test_keys_of_many_parts_are_refused_at_once(deep: str) -> None:
    with pytest.raises(SceneError, match="more dotted parts") as caught:
        parse_scene(f'title = """\n{"a." * 99}\n"""\n{deep}\n', "my.toml")
    assert caught.value.where == "my.toml:4"
    # In a text, a comment or a number dots are none of a key.
    notes = "a.b." * 99
    assert parse_scene(f'notes = """\n{notes}\n"""  # {notes}\n{BOX}').notes.strip() == notes


def test_a_negative_epsilon_is_told_of_poles() -> None:
    with pytest.raises(SceneError, match="greater than 0") as caught:
        parse_scene(f"{BOX}[background]\nepsilon = -9.5\n")
    assert 'kind = "drude"' in caught.value.remedy


def test_second_of_a_kind_is_found_and_duplicates_are_refused() -> None:
    probe = '[[probes]]\nposition = [0.5, 0.5]\nname = "a"\n'
    with pytest.raises(SceneError, match='2 probes are named "a"') as caught:
        parse_scene(BOX + probe + probe)
    assert caught.value.where == "scene:13: probes.name"


def test_periodic_pair_of_opposite_sides_is_accepted() -> None:
    wall = '[[walls]]\nedges = ["domain.left", "domain.right"]\nkind = "periodic"\n'
    assert parse_scene(BOX + wall).walls == (PeriodicWall(("domain.left", "domain.right")),)


def test_mesh_file_scene(tmp_path: Path) -> None:
    (tmp_path / "plate.msh").write_text("")
    text = '[domain]\nmesh = "plate.msh"\n[[materials]]\nname = "glass"\nepsilon = 2\n'
    scene = parse_scene(text, tmp_path / "plate.toml")
    assert scene.mesh_file == tmp_path / "plate.msh"
    shape = 'shape = "ellipse"\ncenter = [1, 0.5]\nradii = [0.2, 0.2]\n'
    with pytest.raises(SceneError, match="the domain is a mesh file"):
        parse_scene(text + shape, tmp_path / "plate.toml")
    with pytest.raises(SceneError, match="holes cannot be cut into a mesh file") as caught:
        parse_scene(f"{text}[[holes]]\n{shape}", tmp_path / "plate.toml")
    assert caught.value.where == f"{tmp_path / 'plate.toml'}:6: holes"
    with pytest.raises(SceneError, match="element_size has no effect beside a mesh file") as caught:
        parse_scene(f"{text}[solver]\nelement_size = 0.1\n", tmp_path / "plate.toml")
    assert caught.value.where == f"{tmp_path / 'plate.toml'}:7: solver.element_size"
    assert caught.value.remedy
    (tmp_path / "elsewhere").mkdir()
    save_scene(scene, tmp_path / "elsewhere" / "copy.toml")
    assert load_scene(tmp_path / "elsewhere" / "copy.toml").mesh_file == scene.mesh_file


def test_material_without_shape_needs_a_mesh_file() -> None:
    with pytest.raises(SceneError, match='"glass" has no shape'):
        parse_scene(BOX + '[[materials]]\nname = "glass"\n')


def test_files_that_are_no_scenes(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    with pytest.raises(SceneError, match="no such file"):
        load_scene(path)
    with pytest.raises(SceneError, match="cannot be read"):
        load_scene(tmp_path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SceneError, match="not a text in UTF-8"):
        load_scene(path)
    path.write_bytes(b"#" * 8_000_001)
    with pytest.raises(SceneError, match="larger than 8 MB"):
        load_scene(path)
    for text in ("a = " + "[" * 100_000, f"a = {'9' * 5000}", "a = " + "{b=" * 5000):
        path.write_text(text)
        with pytest.raises(SceneError):
            load_scene(path)


def test_windows_text_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_bytes(b"\xef\xbb\xbf" + BOX.replace("\n", "\r\n").encode())
    assert load_scene(path).outline == Rectangle((0.0, 0.0), (2.0, 1.0))


def test_save_replaces_the_file_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    scene = parse_scene(BOX)
    save_scene(scene, path)
    assert load_scene(path) == replace(scene, path=path)
    with pytest.raises(SceneError, match="order is 99"):
        save_scene(replace(scene, solver=Solver(0.1, order=99)), path)
    assert load_scene(path) == replace(scene, path=path)
    with pytest.raises(OutputError, match="no directory"):
        save_scene(scene, tmp_path / "no" / "such" / "place.toml")
    (tmp_path / "directory.toml").mkdir()
    with pytest.raises(OutputError, match="is a directory"):
        save_scene(scene, tmp_path / "directory.toml")
    assert sorted(os.listdir(tmp_path)) == ["a.toml", "directory.toml"]


keys = st.text("abc .#\"'[]=", min_size=1, max_size=4)
values = st.recursive(
    st.integers() | st.text("ab \"'[]{}#\\=\n", max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None)
@given(st.dictionaries(keys, values, max_size=5), st.booleans())
def test_lines_of_keys_are_right(content: dict, multiline: bool) -> None:
    text = tomli_w.dumps(content, multiline_strings=multiline)
    rows = text.split("\n")
    lines = key_lines(text)

    def visit(value: object, path: tuple, statement: int) -> None:
        """``statement`` is the line of the array around, whose content need not have its own."""
        if isinstance(value, dict):
            for key, entry in value.items():
                # A table may have no line of its own, but then something in it has one.
                line = lines.get((*path, key), 0)
                if not isinstance(entry, dict) or not entry:
                    row = rows[line - 1]
                    assert line == statement or tomli_w.dumps({key: 0}).split(" = ")[0] in row
                visit(entry, (*path, key), line)
        elif isinstance(value, list):
            for i, entry in enumerate(value):
                visit(entry, (*path, i), statement)

    visit(tomllib.loads(text), (), 0)
