"""How wide letters are, in the fonts that every reader of PDF has: Helvetica and Symbol.

Widths are those of Adobe's metrics of the 14 standard fonts, in thousandths of the size.  Together
the two fonts have the letters of western Europe, the Greek ones and the signs of formulas.
"""

from __future__ import annotations

from dataclasses import dataclass

#: Of Helvetica by the codes of Windows-1252, from the space on; 0 where there is no letter.
_HELVETICA = (
    "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 "
    "556 556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 "
    "722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 "
    "556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 "
    "260 334 584 0 556 0 222 556 333 1000 556 556 333 1000 667 333 1000 0 611 0 0 222 222 333 333 "
    "350 556 1000 333 1000 500 333 944 0 500 667 278 333 556 556 556 556 260 556 333 737 370 556 "
    "584 333 737 333 400 584 333 333 333 556 537 278 333 333 365 556 834 834 834 611 667 667 667 "
    "667 667 667 1000 722 667 667 667 667 278 278 278 278 722 722 778 778 778 778 778 584 778 722 "
    "722 722 722 667 667 611 556 556 556 556 556 556 889 500 556 556 556 556 278 278 278 278 556 "
    "556 556 556 556 556 556 584 611 556 556 556 556 500 556 500"
)
#: Of Symbol: letters, their codes, their widths.
_GREEK = "αβχδεφγηιϕκλμνοπθρστυϖωξψζ"
_CODES = b"abcdefghijklmnopqrstuvwxyz"
_WIDTHS = (
    631, 549, 549, 494, 439, 521, 411, 603, 329, 603, 549, 549, 576, 521, 549, 549, 521, 549, 603,
    439, 576, 713, 686, 493, 686, 494,
)  # fmt: skip
_CAPITALS = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ"
_CAPITAL_WIDTHS = (
    722, 667, 722, 612, 611, 763, 603, 722, 333, 631, 722, 686, 889, 722, 722, 768, 741, 556, 592,
    611, 690, 439, 768, 645, 795, 611,
)  # fmt: skip
_SIGNS = {
    "\u2212": (0x2D, 549), "\u223c": (0x7E, 549), "\u2032": (0xA2, 247), "\u2264": (0xA3, 549),
    "\u221e": (0xA5, 713), "\u2190": (0xAC, 987), "\u2192": (0xAE, 987), "\u2033": (0xB2, 411),
    "\u2265": (0xB3, 549), "\u221d": (0xB5, 713), "\u2202": (0xB6, 494), "\u2260": (0xB9, 549),
    "\u2261": (0xBA, 549), "\u2248": (0xBB, 549), "\u2208": (0xCE, 713), "\u2207": (0xD1, 713),
    "\u221a": (0xD6, 549), "\u22c5": (0xD7, 250), "\u2211": (0xE5, 713), "\u222b": (0xF2, 274),
}  # fmt: skip
_SYMBOL = {
    **{c: (code, w) for c, code, w in zip(_GREEK, _CODES, _WIDTHS, strict=True)},
    **{c: (code - 32, w) for c, code, w in zip(_CAPITALS, _CODES, _CAPITAL_WIDTHS, strict=True)},
    **_SIGNS,
}
_TEXT = {
    bytes([code]).decode("cp1252"): (code, int(w))
    for code, w in enumerate(_HELVETICA.split(), 32)
    if w != "0"
}
#: What is written in place of others that mean the same.
_SAME = str.maketrans({"\u202f": "\u00a0", "\u2009": "\u00a0", "\u2011": "-", "\u2126": "Ω"})
#: In place of what no font has.
MISSING = "?"

_RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿ", "0123456789+\u2212()n", strict=True))
_LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋", "0123456789+\u2212", strict=True))
#: Size of raised and lowered letters, and how far up and down they are, in parts of the size.
SMALL, UP, DOWN = 0.7, 0.36, -0.14
#: Height of capitals, in parts of the size.
CAPITAL = 0.718


@dataclass(frozen=True)
class Run:
    """Letters of one font on one line, raised by ``rise`` and ``scale`` times as large."""

    text: str
    symbol: bool
    rise: float = 0.0
    scale: float = 1.0

    @property
    def codes(self) -> bytes:
        """In the encoding of the font."""
        table = _SYMBOL if self.symbol else _TEXT
        return bytes(table[letter][0] for letter in self.text)

    @property
    def width(self) -> float:
        """In parts of the size of the text."""
        table = _SYMBOL if self.symbol else _TEXT
        return self.scale * sum(table[letter][1] for letter in self.text) / 1000


def printable(text: str) -> str:
    """Without what no file of text may hold."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def levels(text: str) -> list[tuple[str, float, float]]:
    """Parts of a text with the rise and the scale of each, superscripts as plain letters."""
    found: list[tuple[str, float, float]] = []
    for letter in printable(text):
        if letter in _RAISED:
            part = _RAISED[letter], UP, SMALL
        elif letter in _LOWERED:
            part = _LOWERED[letter], DOWN, SMALL
        else:
            part = letter, 0.0, 1.0
        if found and found[-1][1:] == part[1:]:
            found[-1] = (found[-1][0] + part[0], *part[1:])
        else:
            found.append(part)
    return found


def runs(text: str) -> list[Run]:
    """The same by fonts too; what none has becomes ``MISSING``."""
    found: list[Run] = []
    for part, rise, scale in levels(text):
        for letter in part.translate(_SAME):
            symbol = letter in _SYMBOL
            known = letter if symbol or letter in _TEXT else MISSING
            last = found[-1] if found else None
            if last and (last.symbol, last.rise, last.scale) == (symbol, rise, scale):
                found[-1] = Run(last.text + known, symbol, rise, scale)
            else:
                found.append(Run(known, symbol, rise, scale))
    return found


def width(text: str, size: float) -> float:
    """Of a text."""
    return size * sum(run.width for run in runs(text))


def advance(letter: str) -> float:
    """Of one letter, in parts of the size."""
    return sum(run.width for run in runs(letter))


def unwritable(text: str) -> str:
    """The characters that no font has."""
    plain = "".join(part for part, _, _ in levels(text)).translate(_SAME)
    return "".join(letter for letter in plain if letter not in _SYMBOL and letter not in _TEXT)
