"""Scenes are found by the words of a school book, and by what was nearly typed."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavelab.paths import SCENES
from wavelab.scene.finding import Catalogue
from wavelab.scene.shelf import shelf, words
from wavelab.scene.toml.toml_io import load_scene

NAMES = [name for group in shelf() for name in group.names]
SHELF = Catalogue(
    tuple(
        f"{(s := load_scene(SCENES / f'{name}.toml')).title} {s.description} "
        f"{words().keywords.get(name, '')}"
        for name in NAMES
    ),
    words().synonyms,
)


def found(wanted: str) -> list[str]:
    return [NAMES[i] for i in SHELF.find(wanted).numbers]


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        ("Young", "double_slit"),
        ("interference", "two_sources"),
        ("diffraction", "single_slit"),
        ("Snell", "snell"),
        ("refraction water", "shore"),
        ("tsunami", "shore"),
        ("sound", "beats"),
        ("music", "drum"),
        ("harmonics", "string"),
        ("standing wave", "wave_machine"),
        ("ripple tank", "harbour"),
        ("supersonic", "sonic_boom"),
        ("ambulance", "doppler"),
        ("total internal reflection", "total_reflection"),
        ("telescope", "parabolic_mirror"),
        ("magnifier", "lens"),
        ("radar", "aircraft"),
        ("earthquake", "seismic_section"),
        ("fiber", "coupler"),
    ],
)
def test_school_words_find_what_they_mean(wanted, name):
    assert name in found(wanted)
    assert SHELF.find(wanted).instead == ""
    assert len(found(wanted)) < len(NAMES) / 2


def test_words_are_told_of_every_scene_and_of_no_other():
    assert sorted(words().keywords) == sorted(NAMES)


@pytest.mark.parametrize(
    ("wanted", "instead"),
    [
        ("interferance", "interference"),
        ("difraction", "diffraction"),
        ("dopler", "doppler"),
        ("prallel beem", "parallel"),
        ("lens bananas", "lens"),
    ],
)
def test_what_finds_nothing_offers_the_nearest(wanted, instead):
    finding = SHELF.find(wanted)
    assert instead in finding.instead.split()
    assert finding.numbers == SHELF.find(finding.instead).numbers != ()


def test_what_is_like_nothing_finds_nothing():
    assert SHELF.find("xyzzyx") == Catalogue(()).find("light") == SHELF.find("qqqq wwww")


@given(st.lists(st.sampled_from(["light", "lens", "box", "optic", "li", "wave"]), max_size=3))
def test_every_more_word_leaves_fewer(wanted):
    sets = [set(SHELF.find(" ".join(wanted[:n])).numbers) for n in range(len(wanted) + 1)]
    whole = [SHELF.find(" ".join(wanted[:n])).instead == "" for n in range(len(wanted) + 1)]
    assert sets[0] == set(range(len(NAMES)))
    for n, (before, after) in enumerate(pairwise(sets)):
        assert after <= before or not whole[n + 1]
