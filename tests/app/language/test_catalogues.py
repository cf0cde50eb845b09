"""The catalogues say all that the window says, with the same names and numbers in it."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from scripts.messages import all_messages
from wavelab.app.language.catalogue import (
    OFFERED,
    path_of,
    read_catalogue,
    written_catalogue,
)
from wavelab.paths import LANGUAGES

#: Fields that another grammar may have no use for.
FREE = {"plural", "article"}
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
