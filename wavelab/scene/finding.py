"""Finding texts by words: their own, words that mean the same, and the nearest where there are
none."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

#: A typed word stands for one that begins with it from so many letters on.
_BEGINNING = 4
#: How much alike words must be to be taken for each other, from 0 to 1.
_ALIKE = 0.7
_WORD = re.compile(r"[^\W\d_][\w'-]*")


@dataclass(frozen=True)
class Finding:
    """``numbers`` of the texts that were found; where there were none, those for the words
    ``instead``, the nearest to what was looked for; "" if these are its own."""

    numbers: tuple[int, ...] = ()
    instead: str = ""


@dataclass(frozen=True)
class Catalogue:
    """Texts that are looked for by words.

    Parameters
    ----------
    synonyms : rows of words that mean the same.
    """

    texts: tuple[str, ...]
    synonyms: tuple[tuple[str, ...], ...] = ()

    def find(self, wanted: str) -> Finding:
        """The texts that have every word of ``wanted``, a part of a longer one too, or one that
        means the same; all of them if it has none."""
        words = wanted.lower().split()
        if found := self._with(words):
            return Finding(found)
        nearest = [near for word in words if (near := self._nearest(word))]
        # What is known of it, rather than nothing.
        while nearest:
            if found := self._with(nearest):
                return Finding(found, " ".join(nearest))
            nearest.pop()
        return Finding()

    def _with(self, words: Sequence[str]) -> tuple[int, ...]:
        left = set(range(len(self.texts)))
        for word in words:
            left &= self._speaking_of(word)
        return tuple(sorted(left))

    def _speaking_of(self, word: str) -> set[int]:
        """Those that have the word anywhere, or begin a word with one that means the same."""
        same = self._same(word)
        found = {i for i, text in enumerate(self._lower) if word in text}
        if same:
            pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, same))})")
            found |= {i for i, text in enumerate(self._lower) if pattern.search(text)}
        return found

    def _same(self, word: str) -> list[str]:
        rows = (
            row
            for row in self.synonyms
            if any(w == word or (len(word) >= _BEGINNING and w.startswith(word)) for w in row)
        )
        return sorted({w for row in rows for w in row} - {word})

    def _nearest(self, word: str) -> str:
        """The word itself if something has it, or else the one most alike; "" if none is."""
        if self._speaking_of(word):
            return word
        close = difflib.get_close_matches(word, self._known, n=1, cutoff=_ALIKE)
        return close[0] if close else ""

    @cached_property
    def _lower(self) -> tuple[str, ...]:
        return tuple(text.lower() for text in self.texts)

    @cached_property
    def _known(self) -> list[str]:
        """All words that find something."""
        own = {word for text in self._lower for word in _WORD.findall(text) if len(word) > 2}
        return sorted(own.union(*(row for row in self.synonyms if own.intersection(row))))
