"""Labels in scene files: read, written, and what they may not be."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.sample_scenes import boxed
from wavelab.errors import SceneError
from wavelab.scene.editing.item_places import displaced, points
from wavelab.scene.model.labels import LONGEST_TEXT, TextLabel
from wavelab.scene.rules.validate import check_scene
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.scene.toml.toml_writer import scene_text

SCENE = parse_scene(
    boxed(
        "Labelled",
        """\
[[labels]]
name = "first"
text = "λ/2 = 0.25"
position = [0.2, 0.3]
to = [0.5, 0.5]
[[labels]]
text = "a \\"slit\\""
position = [3, -1]
[solver]
element_size = 0.2
""",
    )
)


def test_labels_are_read_and_written():
    first = TextLabel("first", "λ/2 = 0.25", (0.2, 0.3), (0.5, 0.5))
    assert SCENE.labels == (first, TextLabel("label 2", 'a "slit"', (3.0, -1.0)))
    assert parse_scene(scene_text(SCENE, None)).labels == SCENE.labels


def test_what_an_arrow_points_to_stays_where_it_is():
    moved = displaced(SCENE.labels[0], (0.1, -0.1))
    assert moved.position == pytest.approx((0.3, 0.2))
    assert moved.to == (0.5, 0.5)
    assert points(moved) == (moved.position,)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"text": ""}, "no text"),
        ({"text": "  "}, "no text"),
        ({"text": "two\nlines"}, "no text"),
        ({"text": "x" * (LONGEST_TEXT + 1)}, "no text"),
        ({"to": (0.2, 0.3)}, "no length"),
        ({"name": "label 2"}, '2 labels are named "label 2"'),
        ({"position": (float("nan"), 0.0)}, "position"),
    ],
)
def test_what_a_label_may_not_be(changes, words):
    labels = (replace(SCENE.labels[0], **changes), SCENE.labels[1])
    with pytest.raises(SceneError, match=words) as refused:
        check_scene(replace(SCENE, labels=labels))
    assert refused.value.remedy
