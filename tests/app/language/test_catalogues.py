"""The catalogues say all that the window says, with the same names and numbers in it."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations

import pytest

from scripts.messages import all_messages
from wavelab.app.language.catalogue import (
    OFFERED,
    path_of,
    read_catalogue,
    written_catalogue,
)
from wavelab.app.shell.menus.actions import ACTIONS, MENUS
from wavelab.paths import LANGUAGES

#: Fields that another grammar may have no use for.
FREE = {"plural", "article"}
SUBMENUS = {"recent": "Open re&cent", "language": "Langu&age"}
#: What entries say at other times.
OTHERWISE = {"play": ("&Play", "&Pause"), "record": ("Finish &recording",)}
CODES = [language.code for language in OFFERED[1:]]


def catalogue(code: str) -> dict[str, str]:
    return read_catalogue(path_of(code).read_text(encoding="utf-8"))


def fields(text: str) -> Counter[str]:
    found = Counter(re.findall(r"\{(\w*)(?::[^{}]*)?\}", text))
    return Counter({name: n for name, n in found.items() if name not in FREE})


def test_every_catalogue_is_offered():
    assert sorted(path.stem for path in LANGUAGES.glob("*.po")) == sorted(CODES)


@pytest.mark.parametrize("code", CODES)
def test_a_catalogue_has_what_the_program_says_and_nothing_else(code):
    assert list(catalogue(code)) == list(all_messages()), "run: python -m scripts.messages"


@pytest.mark.parametrize("code", CODES)
def test_everything_is_translated_with_its_fields_and_marks(code):
    for english, translation in catalogue(code).items():
        assert translation, f"not translated: {english!r}"
        assert fields(translation) == fields(english), english
        assert translation.endswith("\u2026") == english.endswith("\u2026"), english
        if len(english) < 60 and ";" not in english:
            assert translation.count("&") == english.count("&"), english


@pytest.mark.parametrize("code", ["en", *CODES])
def test_every_letter_opens_one_entry_of_a_menu(code):
    words = {text: text for text in all_messages()} if code == "en" else catalogue(code)

    def letters(*texts: str) -> set[str]:
        return {re.search("&(.)", words[text])[1].lower() for text in texts if "&" in text}

    menus = [[letters(menu) for menu in MENUS]]
    for ids in MENUS.values():
        said = {id_: ACTIONS[id_].text for id_ in ids if id_ in ACTIONS} | {
            id_: text for id_, text in SUBMENUS.items() if id_ in ids
        }
        menus.append([letters(text, *OTHERWISE.get(id_, ())) for id_, text in said.items()])
    for menu in menus:
        for one, other in combinations(menu, 2):
            assert not one & other


def test_a_catalogue_comes_back_as_it_was_written():
    texts = {
        'say "so"\n\tand \\ so': 'sag "so"\n\tund \\ so',
        "long " * 60: "lang " * 60,
        "no translation": "",
    }
    text = written_catalogue("xx", texts, {text: ["a.py"] for text in texts})
    assert read_catalogue(text) == texts
    assert max(map(len, text.splitlines())) <= 100


def test_what_is_no_catalogue_is_refused_with_its_line():
    with pytest.raises(ValueError, match="line 2"):
        read_catalogue('msgid "a"\nmsgstr so\n')
