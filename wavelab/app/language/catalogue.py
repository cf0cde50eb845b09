"""Catalogues of translations: the .po files of gettext, which translators have programs for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from wavelab.paths import LANGUAGES

_QUOTED = re.compile(r'(?:(msgid|msgstr) )?"((?:[^"\\]|\\.)*)"\s*')
_ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}
#: Characters of a line of a .po file, but for a word that is longer.
_WIDTH = 96


@dataclass(frozen=True)
class Language:
    """``code`` as in the name of its file, and what it calls itself."""

    code: str
    name: str


#: The first is that of the program text.
OFFERED = (Language("en", "English"), Language("de", "Deutsch"), Language("es", "Espa\u00f1ol"))
#: What can be wished for; "" leaves it to the system.
CODES = ("", *(language.code for language in OFFERED))


def path_of(code: str) -> Path:
    """The catalogue of a language."""
    return LANGUAGES / f"{code}.po"


def read_catalogue(text: str) -> dict[str, str]:
    """English -> translation, of the text of a .po file, "" where there is none yet.

    Raises
    ------
    ValueError : names the line that is none of a catalogue.
    """
    found: dict[str, str] = {}
    parts: dict[str, list[str]] = {"msgid": [], "msgstr": []}
    at = ""

    def keep() -> None:
        english = "".join(parts["msgid"])
        if english:
            found[english] = "".join(parts["msgstr"])

    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        match = _QUOTED.fullmatch(line)
        if match is None or not (match[1] or at):
            raise ValueError(f"line {number} is none of a catalogue: {line!r}")
        if match[1] == "msgid":
            keep()
            parts = {"msgid": [], "msgstr": []}
        at = match[1] or at
        parts[at].append(_unescaped(match[2]))
    keep()
    return found


def written_catalogue(
    code: str, translations: Mapping[str, str], places: Mapping[str, Iterable[str]]
) -> str:
    """The text of a .po file.

    Parameters
    ----------
    translations : English -> translation, in the order in which they are written.
    places : English -> files that say it.
    """
    head = f"Language: {code}\nMIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\n"
    entries = [_entry("", f"{head}Content-Transfer-Encoding: 8bit\n")]
    for english, translation in translations.items():
        files = "".join(f"#: {place}\n" for place in places[english])
        entries.append(files + _entry(english, translation))
    return "\n".join(entries)


def _entry(english: str, translation: str) -> str:
    return f"msgid {_quoted(english)}\nmsgstr {_quoted(translation)}\n"


def _quoted(text: str) -> str:
    """On one line, or on several that follow an empty one, as gettext writes it."""
    lines = [part for line in text.splitlines(keepends=True) for part in _wrapped(line)]
    quoted = [f'"{_escaped(line)}"' for line in lines]
    return quoted[0] if len(quoted) == 1 else "\n".join(['""', *quoted])


def _wrapped(line: str) -> list[str]:
    if len(line) <= _WIDTH - len("msgstr"):
        return [line]
    parts = [""]
    for word in re.findall(r"\s*\S+\s*?(?=\s|$)|\s+$", line):
        if len(parts[-1]) + len(word) > _WIDTH:
            parts.append("")
        parts[-1] += word
    return parts


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[0]), text)
