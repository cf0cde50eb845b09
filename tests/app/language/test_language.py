"""What is looked up: the window's own words, and sentences of rooms that know no language."""

from __future__ import annotations

import pytest

from wavelab.app.language import language
from wavelab.app.language.language import chosen, said, tr, tr_n
from wavelab.errors import WavelabError
from wavelab.scene.editing.properties import changed
from wavelab.scene.model.labels import TextLabel, check_label
from wavelab.scene.toml.toml_io import parse_scene


@pytest.fixture(autouse=True)
def german():
    language.use("de")
    yield
    language.use("en")


def test_words_have_their_fields_and_their_plural():
    assert tr("Cancel") == "Abbrechen"
    assert tr("{left} more", left=3) == "3 weitere"
    assert tr_n("\u25cf {n} frame", "\u25cf {n} frames", 1) == "\u25cf 1 Bild"
    assert tr_n("\u25cf {n} frame", "\u25cf {n} frames", 2) == "\u25cf 2 Bilder"
    assert tr("nobody says this") == "nobody says this"
    language.use("en")
    assert tr("{left} more", left=3) == "3 more"


def test_an_error_from_below_is_told_with_its_names():
    label = TextLabel("Open", "", (0.0, 0.0))
    with pytest.raises(WavelabError) as caught:
        check_label(label, ("labels", 0))
    error = caught.value
    # What somebody called their label is no word of the program, though Open is one, too.
    assert said(error.message) == 'Beschriftung "Open" hat keinen Text, der gezeichnet werden kann'
    assert said(error.remedy) == "Sie hat 1 bis 120 druckbare Zeichen, in einer Zeile."
    joined = f"{error.message}. {error.remedy}"
    assert said(joined) == f"{said(error.message)}. {said(error.remedy)}"


def test_a_sentence_within_a_sentence_is_told():
    scene = parse_scene(
        "[domain]\nshape = 'rectangle'\nlower = [0, 0]\nupper = [1, 1]\n"
        "[solver]\nelement_size = 0.2\n"
    )
    with pytest.raises(WavelabError) as caught:
        changed(scene, ("background",), ("epsilon",), "2*besse")
    assert "unbekannt" in said(caught.value.message)
    assert "in Spalte 3" in said(caught.value.message)
    assert said('hole "A" crosses itself at (0.5, 0.25)') == (
        'Loch "A" kreuzt sich selbst bei (0.5, 0.25)'
    )
    assert said("room.msh, line 3: this is no Gmsh file: it has no $MeshFormat") == (
        "room.msh, Zeile 3: das ist keine Gmsh-Datei: sie hat kein $MeshFormat"
    )
    assert said("Logarithmic, 1 decade") == "Logarithmisch, 1 Dekade"
    assert said("Logarithmic, 3 decades") == "Logarithmisch, 3 Dekaden"


@pytest.mark.parametrize(
    "text", ["", "0.25", "my lens of the year", "Elements that nobody ever saw is one"]
)
def test_what_is_not_of_the_program_stays_as_it_is(text):
    assert said(text) == text


@pytest.mark.parametrize(
    ("wish", "system", "code"),
    [
        ("", ("de-AT", "en"), "de"),
        ("", ("fr-FR", "es_MX"), "es"),
        ("", ("fr",), "en"),
        ("", ("C",), "en"),
        ("en", ("de",), "en"),
        ("es", (), "es"),
    ],
)
def test_the_wish_goes_before_the_system(wish, system, code):
    assert chosen(wish, system) == code
