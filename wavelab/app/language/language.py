"""The language of the window.

``tr`` translates what the window says itself, ``said`` what it was told by other rooms.  Both look
it up when it is shown: what is written down as data stays English.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from wavelab.app.language.catalogue import OFFERED, path_of, read_catalogue
from wavelab.app.language.templates import Templates
from wavelab.scene.systems import SYSTEMS, System

ENGLISH = OFFERED[0].code
#: Between two sentences, and between parts of one.
_SENTENCES = (r"(\n+\s*)", r"(?<=[.?!])(\s+)(?=\S)")
_PARTS = (r"(; )", r"(: )", r"(, )")
_SUBJECT = re.compile(r'([a-z][\w ]* "[^"]*") (.+)', re.DOTALL)


class _Speech:
    """The catalogue in use."""

    def __init__(self, code: str, words: Mapping[str, str]) -> None:
        self.code, self.words = code, words
        self.templates = Templates(self.words)

    def said(self, text: str) -> str:
        core = text.strip()
        ways = (
            self._known,
            self._without_stop,
            lambda core: self._broken(core, _SENTENCES),
            self._of_subject,
            self._of_place,
            lambda core: self._as_is_or_lower(core, self._guessed),
            lambda core: self._broken(core, _PARTS),
        )
        found = next((told for way in ways if core and (told := way(core)) is not None), core)
        return text.replace(core, found) if core else text

    def _known(self, core: str) -> str | None:
        return self._as_is_or_lower(
            core, lambda text: self.words.get(text) or self.templates.told(text, self.said)
        )

    def _guessed(self, core: str) -> str | None:
        return self.templates.guessed(core, self.said)

    def _as_is_or_lower(self, core: str, look: Callable[[str], str | None]) -> str | None:
        """Who shows a sentence may have given it its capital."""
        found = look(core)
        if found is None and core[0].isupper():
            found = look(core[0].lower() + core[1:])
            return found and found[0].upper() + found[1:]
        return found

    def _without_stop(self, core: str) -> str | None:
        """Sentences that others are joined to have got a full stop."""
        found = self._known(core[:-1]) if core.endswith(".") and len(core) > 1 else None
        return found and f"{found}."

    def _of_subject(self, core: str) -> str | None:
        """What is said of something that has a name: 'hole "A" crosses itself'."""
        match = _SUBJECT.fullmatch(core)
        if match is None or (rest := self.said(match[2])) == match[2]:
            return None
        return f"{self.said(match[1])} {rest}"

    def _of_place(self, core: str) -> str | None:
        """What is said of a line of a file: "room.msh, line 3: a coordinate is not finite"."""
        for colon in re.finditer(": ", core):
            rest = self._known(core[colon.end() :])
            if rest is not None:
                return f"{self.said(core[: colon.start()])}: {rest}"
        return None

    def _broken(self, core: str, patterns: tuple[str, ...]) -> str | None:
        """Part by part, where it has several."""
        for pattern in patterns:
            # Every other part is what stands between two.
            parts = re.split(pattern, core)
            if len(parts) > 1:
                return "".join(
                    part if number % 2 else self.said(part) for number, part in enumerate(parts)
                )
        return None


_speech = _Speech(ENGLISH, {})
_system = SYSTEMS["light"]


def use(code: str) -> None:
    """Speak a language of ``OFFERED`` from now on; what is on show already stays as it is."""
    known = code != ENGLISH
    speak(code, read_catalogue(path_of(code).read_text(encoding="utf-8")) if known else {})


def speak(code: str, words: Mapping[str, str]) -> None:
    """Use a catalogue, English -> translation."""
    global _speech
    _speech = _Speech(code, words)
    said.cache_clear()


def speak_of(system: System) -> None:
    """What is written down of light, Ez, is said of the fields of another system from now on."""
    global _system
    _system = system
    said.cache_clear()


def spoken_of() -> System:
    """What the waves are that words are of."""
    return _system


def current() -> str:
    """The code of the language in use."""
    return _speech.code


def tr(text: str, /, **fields: object) -> str:
    """``text`` in the language in use, or as it is where there is no translation.

    Parameters
    ----------
    fields : what stands in its braces: ``tr("{count} probes", count=3)``.
    """
    label = _system.label_of(text)
    translated = _system.in_words(_speech.words.get(label) or label)
    return translated.format(**fields) if fields else translated


def tr_n(one: str, several: str, n: int, /, **fields: object) -> str:
    """``one`` where ``n`` is 1, else ``several``; ``{n}`` in them is the number."""
    return tr(one if n == 1 else several, n=n, **fields)


@lru_cache(maxsize=2000)
def said(text: str) -> str:
    """What another room says, with its numbers and names, in the language in use."""
    label = _system.label_of(text)
    return _system.in_words(label if _speech.code == ENGLISH else _speech.said(label))


def chosen(wish: str, system: tuple[str, ...]) -> str:
    """The code of the language to use.

    Parameters
    ----------
    wish : that of the user; "" leaves it to the system.
    system : the system's languages, such as "de-AT", the preferred one first.
    """
    codes = [language.code for language in OFFERED]
    for name in (wish,) if wish else system:
        code = name.replace("_", "-").partition("-")[0].lower()
        if code in codes:
            return code
    return ENGLISH
