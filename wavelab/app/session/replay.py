"""What is taken of the running wave and saved: at the moment when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from wavelab.app.base import measures
from wavelab.app.edits.edit_price import Price, price
from wavelab.errors import WavelabError
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.sending.pings import MOST_PINGS
from wavelab.simulation.solver.questions import PingsTaken

T = TypeVar("T")


def take_and_choose(
    take: Callable[[Callable[[T], None]], None],
    choose: Callable[[], Path | None],
    write: Callable[[Path, T], None],
) -> None:
    """Have something taken, ask meanwhile for the file it goes to, and write it when both are
    there.

    Parameters
    ----------
    take : called with what is to be called when it is there.
    choose : gives the file, or None if nobody wants it any more.
    """
    path: Path | None = None
    found: list[T] = []

    def go_on() -> None:
        if path is not None and found:
            write(path, found[0])

    def arrived(taken: T) -> None:
        found.append(taken)
        go_on()

    take(arrived)
    path = choose()
    go_on()


def with_pings(scene: Scene, taken: PingsTaken) -> Scene:
    """A scene that ends when the pings were taken, with all of them: ``scene``, or the one that
    ran where ``scene`` is another experiment, which was being prepared meanwhile.

    Raises
    ------
    WavelabError : the field did not come about by the scene and these pings, or there is none yet.
    """
    if taken.scene is None or taken.time == 0:
        raise WavelabError("there is nothing to repeat at time 0", remedy="Let the wave run.")
    if taken.pings is None:
        raise WavelabError(
            "the scene was edited while the wave ran, so pings alone do not repeat this field",
            remedy="Reset (Ctrl+R) and ping again.",
        )
    if len(taken.pings) > MOST_PINGS:
        raise WavelabError(
            f"there were more than {MOST_PINGS:,} pings",
            remedy="Reset (Ctrl+R) and ping less, or place a source.",
        )
    if _is_another(scene, taken):
        scene = taken.scene
    # With any pings an exact solution is none any more.
    exact = None if taken.pings else scene.exact
    solver = replace(scene.solver, until=taken.time)
    return replace(scene, pings=taken.pings, exact=exact, solver=solver)


def in_words(scene: Scene, taken: PingsTaken) -> str:
    """What :func:`with_pings` makes of them."""
    count = len(taken.pings or ())
    before = " before the edit" if _is_another(scene, taken) else ""
    time = measures.time(taken.time, "{:.4g}".format)
    return f"Scene{before} with {count} ping{'s' * (count != 1)} up to t = {time}"


def _is_another(scene: Scene, taken: PingsTaken) -> bool:
    return taken.scene is not None and price(taken.scene, scene) >= Price.NUMBERS
