"""The language of the window.

``tr`` translates what the window says itself, ``said`` what it was told by other rooms.  Both look
it up when it is shown: what is written down as data stays English.
"""

from __future__ import annotations

import re
from functools import lru_cache

from wavelab.app.language.catalogue import OFFERED, path_of, read_catalogue
from wavelab.app.language.templates import Templates

ENGLISH = OFFERED[0].code
#: Between two sentences, or what is listed of several kinds.
_BREAKS = (r"(\n+\s*)", r"(?<=[.?!])(\s+)(?=\S)", r"(; )", r"(: )", r"(, )")


class _Speech:
    """The catalogue in use."""

    def __init__(self, code: str = ENGLISH) -> None:
        self.code = code
        self.words: dict[str, str] = {}
        if code != ENGLISH:
            self.words = read_catalogue(path_of(code).read_text(encoding="utf-8"))
        self.templates = Templates(self.words)

    def said(self, text: str) -> str:
        whole = self._whole(text)
        if whole is not None:
            return whole
        for pattern in _BREAKS:
            # Every other part is what stands between two.
            parts = re.split(pattern, text)
            if len(parts) > 1:
                return "".join(
                    part if number % 2 else self.said(part) for number, part in enumerate(parts)
                )
        return text

    def _whole(self, text: str) -> str | None:
        core = text.strip()
        if not core:
            return text
        found = self.words.get(core) or self.templates.translated(core, self.said)
        if found is None and core[0].isupper():
            lower = core[0].lower() + core[1:]
            found = self.words.get(lower) or self.templates.translated(lower, self.said)
            found = found and found[0].upper() + found[1:]
        return None if found is None else text.replace(core, found)


_speech = _Speech()


def use(code: str) -> None:
    """Speak a language of ``OFFERED`` from now on; what is on show already stays as it is."""
    global _speech
    _speech = _Speech(code)
    said.cache_clear()


def current() -> str:
    """The code of the language in use."""
    return _speech.code


def tr(text: str, /, **fields: object) -> str:
    """``text`` in the language in use, or as it is where there is no translation.

    Parameters
    ----------
    fields : what stands in its braces: ``tr("{count} probes", count=3)``.
    """
    translated = _speech.words.get(text) or text
    return translated.format(**fields) if fields else translated


def tr_n(one: str, several: str, n: int, /, **fields: object) -> str:
    """``one`` where ``n`` is 1, else ``several``; ``{n}`` in them is the number."""
    return tr(one if n == 1 else several, n=n, **fields)


@lru_cache(maxsize=2000)
def said(text: str) -> str:
    """What another room says, with its numbers and names, in the language in use."""
    return text if _speech.code == ENGLISH else _speech.said(text)


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
