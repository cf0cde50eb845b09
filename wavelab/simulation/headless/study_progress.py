"""How far a study has come, as a bar or as lines of a log."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tqdm import tqdm

from wavelab.simulation.core.forecast import LONG, Forecast, Intervals, in_words

#: Is told the part that is done, 0 to 1, and what is done now.
Tell = Callable[[float, str], None]


@contextmanager
def study_progress(
    *,
    notify: Callable[[str], None],
    say: Callable[[str], None],
    bar: bool | None = None,
    make_bar: Callable[..., tqdm] = tqdm,
) -> Iterator[Tell]:
    """Give it the part that is done and what is done now: a bar on stderr shows it, or lines now
    and then where that is no terminal; what takes more than a minute is said.

    Parameters
    ----------
    notify : told the forecast of what takes long.
    say : gets the lines.
    bar : whether there is one; None if stderr is a terminal. False is no lines either.
    make_bar : makes it, as ``tqdm`` does.
    """
    forecast, lines = Forecast(), Intervals(time.monotonic())
    said = False
    logged = bar is None and not sys.stderr.isatty()
    with make_bar(
        total=1.0,
        file=sys.stderr,
        disable=None if bar is None else not bar,
        bar_format="{desc} {percentage:3.0f}%|{bar}|",
    ) as shown:

        def tell(part: float, text: str) -> None:
            nonlocal said
            shown.set_description_str(text, refresh=False)
            shown.update(part - shown.n)
            left = forecast.left(part)
            if left is None or part >= 1:
                return
            if left > LONG and not said:
                said = True
                notify(f"this takes {in_words(left)}; Ctrl-C gives it up")
            if logged and lines.due(time.monotonic()):
                say(f"{100 * part:5.1f} %  {text}, {in_words(left)} left")

        yield tell
