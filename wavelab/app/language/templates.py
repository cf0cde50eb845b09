"""Finds the sentence of a catalogue that a text was made of.

The rooms below the window know no languages: what they say is English, in the log, in reports of
problems and on the command line too, and it comes from other threads and processes.  A sentence
with a number or a name in it is told by what stands around those.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

FIELD = re.compile(r"\{(\w+)(?::([^{}]*))?\}")
#: Between these stands what somebody has named, in their own language.
_QUOTES = ('"', "\u201c", "\u2018", "'")
#: What a field of this name holds is never words of the program.
_NAMES = ("name", "path", "title", "file", "key")
#: Of a sentence with fewer characters beside its fields, these must be known too.
_LONG = 12
_WORDS = re.compile(r"[^\W\d_]{2,} [^\W\d_]{2,}")
#: A field of this name is "s" where there are several.
PLURAL = "plural"


@dataclass(frozen=True)
class Template:
    """``english`` with named fields, such as 'probe "{name}" is outside', and its translation."""

    english: str
    translation: str

    @cached_property
    def literals(self) -> tuple[str, ...]:
        """What stands around the fields."""
        return tuple(FIELD.sub("\0", self.english).split("\0"))

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        parts, at = [], 0
        for field in FIELD.finditer(self.english):
            parts.append(re.escape(self.english[at : field.start()]))
            parts.append(f"(?P<{field[1]}>{'s?' if field[1] == PLURAL else '.*?'})")
            at = field.end()
        return re.compile("".join(parts) + re.escape(self.english[at:]), re.DOTALL)

    def fields(self, text: str) -> dict[str, str] | None:
        """What stands in ``text`` for each field; None if it was not made of this."""
        first, *_, last = self.literals
        if not (text.startswith(first) and text.endswith(last)):
            return None
        if not all(literal in text for literal in self.literals):
            return None
        match = self._pattern.fullmatch(text)
        return None if match is None else match.groupdict()

    @property
    def is_long(self) -> bool:
        """Whether what stands around the fields tells the sentence for sure."""
        return len("".join(self.literals)) >= _LONG

    def knows(self, values: Mapping[str, str], translated: Callable[[str], str]) -> bool:
        """Whether the words in the fields are known.  Many sentences have an "is" in them: only so
        one is known to be made of this, if it is short."""
        free = [value for value in values.values() if _WORDS.search(value)]
        named = len(values) == 1 and next(iter(values)) in _NAMES
        return named or all(translated(value) != value for value in free)

    def filled(self, values: Mapping[str, str], translated: Callable[[str], str]) -> str:
        """The translation, with the fields ``translated`` where they are words of the program."""
        quoted = {
            field[1]
            for field in FIELD.finditer(self.english)
            if self.english[: field.start()].endswith(_QUOTES)
        }

        def put(field: re.Match[str]) -> str:
            name, value = field[1], values[field[1]]
            if name == PLURAL:
                several, _, one = (field[2] or "").partition("|")
                return several if value else one
            return value if name in quoted or name in _NAMES else translated(value)

        return FIELD.sub(put, self.translation)


class Templates:
    """All sentences with fields of a catalogue; the one that says most of a text itself is it."""

    def __init__(self, catalogue: Mapping[str, str]) -> None:
        made = (
            Template(english, translation)
            for english, translation in catalogue.items()
            if translation and FIELD.search(english)
        )
        by_length = sorted(made, key=lambda t: len("".join(t.literals)), reverse=True)
        self._long = [template for template in by_length if template.is_long]
        self._short = [template for template in by_length if not template.is_long]

    def told(self, text: str, part: Callable[[str], str]) -> str | None:
        """``text`` in the other language, its fields by ``part``; None if it is none of the
        sentences that cannot be mistaken."""
        for template in self._long:
            values = template.fields(text)
            if values is not None:
                return template.filled(values, part)
        return None

    def guessed(self, text: str, part: Callable[[str], str]) -> str | None:
        """As :meth:`told`, of the short ones, where all else in the text is known too."""
        for template in self._short:
            values = template.fields(text)
            if values is not None and template.knows(values, part):
                return template.filled(values, part)
        return None
