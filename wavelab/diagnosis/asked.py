"""Questions to children, which may crash or hang."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable
from typing import Any

from wavelab.child import spawn

#: Seconds that a child may take.
PATIENCE = 60.0
_LINES = 4
#: Seconds between two looks whether somebody still wants to know.
_LOOK = 0.2


def ask(
    module: str,
    question: str = "",
    patience: float = PATIENCE,
    cancelled: Callable[[], bool] = lambda: False,
) -> dict[str, Any]:
    """What a module of wavelab prints, as JSON; or ``{"problem": ...}`` where nothing came of it.

    Parameters
    ----------
    module : run as ``python -m`` in a process of its own, with ``question`` on standard input.
    cancelled : looked at while the child is at work, which is ended then.
    """
    try:
        process = spawn(module, subprocess.PIPE)
    except OSError as error:
        return {"problem": f"no other process can be started: {error.strerror}"}
    with process:
        end = time.monotonic() + patience
        asked: bytes | None = question.encode()
        while True:
            try:
                answer, printed = process.communicate(asked, _LOOK)
                break
            except subprocess.TimeoutExpired:
                asked = None  # it has been told
                if cancelled() or time.monotonic() > end:
                    process.kill()
                    return {"problem": f"no answer in {patience:g} s"}
    try:
        found = json.loads(answer.decode().strip().splitlines()[-1])
    except (ValueError, IndexError):
        return {"problem": _death(process.returncode, printed.decode(errors="replace"))}
    return found if isinstance(found, dict) else {"problem": "a strange answer"}


def _death(status: int, printed: str) -> str:
    """How a child ended that was to answer."""
    how = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
    last = [line.strip() for line in printed.splitlines() if line.strip()][-_LINES:]
    return ": ".join([f"the process that looks {how}", *(["; ".join(last)] if last else [])])
