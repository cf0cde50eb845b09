"""Opening and saving: scenes, meshes, pictures, traces, data of monitors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wavelab.app.background import Background
from wavelab.app.dialogs import Dialogs
from wavelab.app.domain_edits import DRAWN_TITLE, with_mesh_file
from wavelab.app.drawings import Drawings
from wavelab.app.edits import Edit
from wavelab.app.field_picture import Shown, field_picture
from wavelab.app.inquiry import Inquiry
from wavelab.app.replay import in_words, take_and_choose, with_pings
from wavelab.app.session import Session
from wavelab.app.traces import Traces
from wavelab.app.view_state import ViewState
from wavelab.errors import OutputError, WavelabError
from wavelab.meshing.formats import READERS
from wavelab.meshing.geometry_files import is_drawing
from wavelab.meshing.svg.drawing_scene import SUFFIXES, scene_of_svg
from wavelab.output.field_files import write_fields
from wavelab.output.picture import write_png
from wavelab.output.traces import write_traces
from wavelab.paths import is_shipped
from wavelab.reading import is_plain_file, real_path
from wavelab.scene.monitors import Monitor
from wavelab.scene.scene import Scene, Solver, Wall
from wavelab.scene.shapes import Rectangle
from wavelab.scene.toml_io import load_scene, save_scene
from wavelab.simulation.events import FieldsTaken, PingsTaken
from wavelab.simulation.monitor_records import MonitorResult
from wavelab.simulation.monitor_tables import file_part, write_tables


def _patterns(*suffixes: str) -> str:
    return " ".join(f"*{suffix}" for suffix in suffixes)


SCENE_FILTER = "Scene (*.toml)"
OPEN_FILTERS = (
    f"Scenes, meshes and drawings ({_patterns('.toml', *READERS, *SUFFIXES)});;{SCENE_FILTER};;"
    f"Mesh ({_patterns(*READERS)});;Drawing ({_patterns(*SUFFIXES)});;All files (*)"
)
PNG_FILTER = "PNG picture (*.png)"
FIELDS_FILTER = "VTK grid, for ParaView (*.vtu);;HDF5 (*.h5 *.hdf5)"
CSV_FILTER = "Comma-separated values (*.csv)"

NEW_TITLE = "New scene"
#: Longer edge suggested for a picture of the field.
PICTURE_SIZE = 2048


class Files:
    """What leaves the program and what comes in.

    Parameters
    ----------
    view : how the field is shown now, which goes into saved scenes.
    told : called with a sentence for the message bar when something is done.
    complain : called with an error the user can act on.
    opened : called with the path of a scene that was opened or saved.
    apply : puts an edit into effect.
    ask : shows a text with buttons, each with what it does.
    grab : the canvas as (height, width, 3) uint8.
    shown : what the canvas shows; None while there is nothing.
    """

    def __init__(
        self,
        session: Session,
        dialogs: Dialogs,
        traces: Traces,
        *,
        view: Callable[[], ViewState],
        told: Callable[[str], None],
        complain: Callable[[WavelabError], None],
        opened: Callable[[Path], None],
        apply: Callable[[Edit], None],
        ask: Callable[[str, dict[str, Callable[[], None]]], None],
        grab: Callable[[], NDArray[np.uint8]],
        shown: Callable[[], Shown | None],
    ) -> None:
        self._session = session
        self._dialogs = dialogs
        self._traces = traces
        self._view = view
        self._told = told
        self._complain = complain
        self._opened = opened
        self._grab = grab
        self._shown = shown
        self._writing = Inquiry[str]("file", found=told, failed=complain)
        self._drawings = Drawings(
            session, ask=ask, told=told, complain=complain, apply=apply, came_in=self._came_in
        )
        self.folder = Path.home()

    def open(self) -> None:
        path = self._dialogs.open_file("Open", self.folder, OPEN_FILTERS)
        if path is not None:
            self.open_path(path)

    def new(self) -> None:
        """An empty room, to draw in."""
        self._session.open(empty_room())

    def open_path(self, path: Path) -> None:
        """A scene, or a mesh file or drawing, which becomes the domain of a new scene."""
        if is_drawing(path):
            self._drawings.open(path)
            return
        try:
            scene = scene_of_file(path, self._session.scene)
        except WavelabError as error:
            self._complain(error)
            return
        self._session.open(scene)
        self._came_in(path)

    def drop_path(self, path: Path) -> None:
        """As :meth:`open_path`, but a drawing may become obstacles in the present domain."""
        if is_drawing(path):
            self._drawings.offer(path)
        else:
            self.open_path(path)

    def save(self) -> None:
        path = self._session.scene.path
        if path is None or is_shipped(path):
            self.save_as()
        else:
            self._save_to(path)

    def save_as(self) -> None:
        name = _file_name(self._session.scene.title)
        path = self._dialogs.save_file("Save scene", self.folder / f"{name}.toml", SCENE_FILTER)
        if path is not None:
            self._save_to(path)

    def save_replay(self) -> None:
        """A scene whose run gives the field of this moment again, pings and all."""
        suggestion = self.folder / f"{_file_name(self._session.scene.title)}_pings.toml"

        def write(path: Path, taken: PingsTaken) -> None:
            self._remember(path)
            try:
                scene = with_pings(self._session.scene, taken)
            except WavelabError as error:
                self._complain(error)
                return
            scene = replace(scene, path=path, view=self._view().as_view())
            if self._try(
                path, lambda: save_scene(scene, path), in_words(self._session.scene, taken)
            ):
                self._opened(path)

        take_and_choose(
            self._session.solver.take_pings,
            lambda: self._dialogs.save_file("Save with pings", suggestion, SCENE_FILTER),
            write,
        )

    def save_picture(self) -> None:
        # Before the dialog covers the canvas, and at the moment that was asked for.
        picture = self._grab()
        path = self._dialogs.save_file("Save picture", self._suggestion(".png"), PNG_FILTER)
        if path is not None:
            self._try(path, lambda: write_png(path, picture), "Picture")

    def save_field_picture(self) -> None:
        shown = self._shown()
        if shown is None:
            self._complain(WavelabError("there is no field yet", remedy="Wait for the wave."))
            return
        x0, y0, x1, y1 = shown.extent
        shrink = PICTURE_SIZE / max(x1 - x0, y1 - y0)
        size = self._dialogs.picture_size(
            (max(16, round(shrink * (x1 - x0))), max(16, round(shrink * (y1 - y0))))
        )
        if size is None:
            return
        path = self._dialogs.save_file("Save picture", self._suggestion(".png"), PNG_FILTER)
        if path is not None:
            self._remember(path)
            self._start(lambda: write_png(path, field_picture(shown, *size)), path, "Picture")

    def save_fields(self) -> None:
        """All fields of the moment that was asked for, on the whole mesh."""
        suggestion = self._suggestion(".vtu")

        def write(path: Path, taken: FieldsTaken) -> None:
            self._remember(path)
            problem, state = taken.problem, taken.state
            if problem is None or state is None:
                self._complain(
                    WavelabError("no field could be taken", remedy="Let the wave run, save again.")
                )
                return
            fields, time = state.fields, state.time
            what = f"Fields at t = {time:.4g}"
            self._start(lambda: write_fields(path, problem, fields, time), path, what)

        take_and_choose(
            self._session.solver.take_fields,
            lambda: self._dialogs.save_file("Save all fields", suggestion, FIELDS_FILTER),
            write,
        )

    def save_traces(self) -> None:
        names, times = self._traces.names, self._traces.times.copy()
        if not names or not len(times):
            self._complain(
                WavelabError("nothing was recorded yet", remedy="Place a probe (B) and play.")
            )
            return
        values = self._traces.values.copy()
        path = self._dialogs.save_file("Save traces", self._suggestion(".csv"), CSV_FILTER)
        if path is not None:
            self._try(path, lambda: write_traces(path, names, times, values), "Traces")

    def save_monitor(self, number: int, monitor: Monitor) -> None:
        """All that one monitor of the running scene has measured, as CSV."""
        name = f"{_file_name(self._session.scene.title)}_{file_part(monitor.name)}.csv"
        path = self._dialogs.save_file("Save data", self.folder / name, CSV_FILTER)
        if path is None:
            return
        self._remember(path)

        def then(result: MonitorResult | None) -> None:
            if result is None or result.name != monitor.name:
                gone = f'monitor "{monitor.name}" is gone'
                self._complain(WavelabError(gone, remedy="Undo brings it back."))
                return
            self._start(lambda: write_tables(path, monitor, result), path, "Data")

        self._session.solver.measure(number, then)

    def poll(self) -> None:
        """Say how work in the background ended."""
        self._writing.poll()
        self._drawings.poll()

    def close(self, timeout: float) -> bool:
        """Wait for a file that is being written."""
        self._drawings.close(0.0)
        return self._writing.close(timeout)

    def _came_in(self, path: Path) -> None:
        self._remember(path)
        self._opened(path)

    def _save_to(self, path: Path) -> None:
        scene = replace(self._session.scene, path=path, view=self._view().as_view())
        if scene.title in (DRAWN_TITLE, NEW_TITLE):
            scene = replace(scene, title=path.stem)
        if self._try(path, lambda: save_scene(scene, path), "Scene"):
            self._session.mark_saved(scene)
            self._opened(path)

    def _try(self, path: Path, write: Callable[[], None], what: str) -> bool:
        self._remember(path)
        try:
            write()
        except WavelabError as error:
            self._complain(error)
            return False
        self._told(f"{what} saved as {path}")
        return True

    def _start(self, write: Callable[[], list[Path] | None], path: Path, what: str) -> None:
        """In the background; ``write`` returns the files if it is not ``path`` alone."""
        if self._writing.busy:
            self._complain(OutputError("another file is being written", remedy="Wait for it."))
            return

        def work(_: Background[str]) -> str:
            files = write() or [path]
            return f"{what} saved as {' and '.join(map(str, files))}"

        self._told(f"Writing {path.name}\u2026")
        self._writing.start(work)

    def _suggestion(self, suffix: str) -> Path:
        return self.folder / (_file_name(self._session.scene.title) + suffix)

    def _remember(self, path: Path) -> None:
        if not is_shipped(path):
            self.folder = real_path(path).parent


def empty_room() -> Scene:
    """Nothing in it, and walls from which hardly anything comes back."""
    return Scene(
        title=NEW_TITLE,
        description="An empty room with absorbing walls, to draw in.",
        solver=Solver(element_size=0.09),
        outline=Rectangle((0.0, 0.0), (3.2, 2.0)),
        walls=(Wall(("domain",), "absorbing"),),
    )


def scene_of_file(path: Path, like: Scene) -> Scene:
    """The scene in a TOML file, or one around a mesh file or drawing, solved the way of ``like``.

    Raises
    ------
    WavelabError : there is no such file, or it is no scene.
    """
    if path.suffix.lower() == ".toml":
        return load_scene(path)
    if is_drawing(path):
        return scene_of_svg(path, like)
    if not is_plain_file(path):
        raise WavelabError("there is no such file", where=str(path))
    return with_mesh_file(like, real_path(path))


def _file_name(title: str) -> str:
    """A title as a file name that every system takes."""
    kept = "".join(c if c.isalnum() else "_" for c in title.lower()).strip("_")
    return kept or "scene"
