"""What went wrong lately, kept in a small file for a report: what the window complained of, and
defects with their tracebacks."""

from __future__ import annotations

import logging
import re
from itertools import pairwise
from logging.handlers import RotatingFileHandler
from pathlib import Path

NAME = "errors.log"
#: What the window complains of is logged here, as no warning: it is not printed.
told = logging.getLogger("wavelab.told")
#: Bytes of the file; there is one more of them.
_SIZE = 64 << 10
_BEGINS = re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d ", re.MULTILINE)
#: Lines of an entry that are told: its beginning, and the end of its traceback.
_LINES = 12


class _Quiet(RotatingFileHandler):
    """That nothing can be kept, as on a full disk, is nothing to complain of here."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            super().emit(record)
        except Exception:
            self.handleError(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        pass


def keep_errors(folder: Path) -> None:
    """Have this process append to the file in ``folder`` what it logs; warnings are printed, too,
    as without it."""
    logger = logging.getLogger("wavelab")
    if any(isinstance(handler, _Quiet) for handler in logger.handlers):
        return
    kept = _Quiet(folder / NAME, maxBytes=_SIZE, backupCount=1, encoding="utf-8", delay=True)
    kept.addFilter(lambda record: record.levelno >= logging.WARNING or record.name == told.name)
    kept.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%Y-%m-%d %H:%M:%S"))
    printed = logging.StreamHandler()
    printed.setLevel(logging.WARNING)
    for handler in (kept, printed):
        logger.addHandler(handler)
    logger.setLevel(logging.INFO)


def last_errors(folder: Path, count: int = 3) -> list[str]:
    """The newest entries, the newest last."""
    text = ""
    for name in (f"{NAME}.1", NAME):
        try:
            text += (folder / name).read_bytes()[-2 * _SIZE :].decode(errors="replace")
        except OSError:
            continue
    starts = [found.start() for found in _BEGINS.finditer(text)]
    entries = [text[a:b] for a, b in pairwise([*starts, len(text)])]
    return [_short(entry) for entry in entries[-count:]]


def _short(entry: str) -> str:
    lines = entry.rstrip().splitlines()
    if len(lines) > _LINES:
        lines = [*lines[:2], "  \u2026", *lines[3 - _LINES :]]
    return "\n".join(lines)
