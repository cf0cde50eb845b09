"""What the program is started with, and what it remembers from one start to the next."""

from __future__ import annotations

import contextlib
import tomllib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

import tomli_w

from wavelab.app.language.catalogue import CODES
from wavelab.atomic import whole_file
from wavelab.errors import OutputError
from wavelab.paths import data_directory
from wavelab.reading import read_plain_file, real_path
from wavelab.scene.editing.settings import Setting, with_settings
from wavelab.scene.model.overrides import with_solver
from wavelab.scene.model.scene import Scene
from wavelab.simulation.past.memory import USUAL_MIB, most_mib

RECENT_LIMIT = 10
#: How much larger letters can be in a presentation: beyond, they cover the wave.
ENLARGEMENTS = (1.0, 4.0)
#: Preferences that are lists of texts.
_LISTS = ("recent", "folded")


@dataclass(frozen=True)
class LaunchOptions:
    """The command line's wishes; None leaves the choice to the scene or the program.

    ``device``, ``backend`` and ``variant`` hold for as long as the window is open; ``order``,
    ``element_size``, ``precision`` and ``stepper`` replace the values of the scene opened first, as
    do ``settings``, whatever they name.
    ``tune`` looks for faster kernels in the background, once for each device, order and precision;
    None leaves that to the preferences.  ``history`` is the memory in MiB for the past of the
    wave; None leaves that to the preferences too.
    """

    device: str | None = None
    backend: str = "auto"
    variant: str | None = None
    tune: bool | None = None
    history: int | None = None
    order: int | None = None
    element_size: float | None = None
    precision: str | None = None
    stepper: str | None = None
    settings: Sequence[Setting] = ()
    language: str | None = None  #: of the window, a code of OFFERED; None: that of the preferences

    def applied(self, scene: Scene) -> Scene:
        """``scene`` with the overridden values put in.

        Raises
        ------
        SceneError : an element size for a scene with a mesh file, or settings that cannot be.
        """
        return with_solver(
            with_settings(scene, self.settings),
            order=self.order,
            element_size=self.element_size,
            precision=self.precision,
            stepper=self.stepper,
        )


@dataclass(frozen=True)
class Preferences:
    """What the next start should find as it was: theme, recent files, the window's place, what of
    the inspector is folded, whether faster kernels are looked for, whether an automatic range
    follows most of the wave or its brightest spot, what a presentation looks like, the memory in
    MiB for the wave's past, and how loud and how high a probe is heard."""

    theme: str = "dark"
    recent: tuple[str, ...] = ()
    geometry: str = ""  #: Qt's saveGeometry() in hexadecimal
    folded: tuple[str, ...] = ()  #: headings of folded sections of the inspector
    tune: bool = True
    robust: bool = True
    enlargement: float = 1.6  #: of strokes, marks and letters in a presentation
    fill_screen: bool = True  #: a presentation does
    language: str = ""  #: of the window, a code of OFFERED; "": the system's
    legend: bool = True  #: a presentation shows the colour scale and the clock
    history: int = USUAL_MIB
    volume: float = 0.7  #: of a probe that is heard, 0 to 1
    pitch: float = 440.0  #: hertz that the frequency of a scene is heard as

    def with_recent(self, path: Path) -> Preferences:
        """``path`` at the head of the recent files, each file once."""
        name = str(real_path(path))
        others = tuple(entry for entry in self.recent if entry != name)
        return replace(self, recent=(name, *others)[:RECENT_LIMIT])


def preferences_path() -> Path:
    return data_directory() / "preferences.toml"


def load_preferences(path: Path) -> Preferences:
    """The stored preferences; whatever is missing or damaged there falls back to its default."""
    try:
        stored = tomllib.loads(read_plain_file(path).decode())
    # Whatever somebody may have put there, deep nesting and endless numbers included.
    except (OSError, ValueError, RecursionError):
        return Preferences()
    known = {f.name: stored[f.name] for f in fields(Preferences) if f.name in stored}
    for name in _LISTS:
        entries = known.get(name)
        known[name] = (
            tuple(entry for entry in entries if isinstance(entry, str))
            if isinstance(entries, list)
            else ()
        )
    read = Preferences(
        **{k: v for k, v in known.items() if type(v) is type(getattr(Preferences(), k))}
    )
    least, most = ENLARGEMENTS
    if not least <= read.enlargement <= most:
        read = replace(read, enlargement=Preferences().enlargement)
    if not 0 <= read.history <= most_mib():
        read = replace(read, history=Preferences().history)
    return read if read.language in CODES else replace(read, language="")


def save_preferences(preferences: Preferences, path: Path) -> None:
    """Store them; a full disk or a read-only home costs the memory, never the session."""
    values = asdict(preferences)
    values |= {name: list(values[name]) for name in _LISTS}
    with contextlib.suppress(OSError, OutputError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path, (".toml",)) as partial:
            partial.write_text(tomli_w.dumps(values), encoding="utf-8")
