"""Opening and saving scenes, and the meshes and drawings that become one."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from wavelab.app.base.qt import QObject, Signal
from wavelab.app.controllers.editor import Editor
from wavelab.app.controllers.view_controller import ViewController
from wavelab.app.edits.domain_edits import DRAWN_TITLE, with_mesh_file
from wavelab.app.edits.physics_edits import set_physics
from wavelab.app.files.drawings import Drawings
from wavelab.app.files.others import Others
from wavelab.app.files.outbox import Outbox
from wavelab.app.files.recordings import Recordings, is_recording
from wavelab.app.panels.messages.message_bar import MessageBar
from wavelab.app.session.replay import in_words, take_and_choose, with_pings
from wavelab.app.session.session import Session
from wavelab.app.window.dialogs import Dialogs
from wavelab.errors import WavelabError
from wavelab.meshing.drawings import SUFFIXES
from wavelab.meshing.drawings.drawing_scene import scene_of_drawing_file
from wavelab.meshing.formats import READERS
from wavelab.meshing.geometry_files import is_drawing
from wavelab.paths import is_shipped
from wavelab.reading import is_plain_file, real_path
from wavelab.scene.model.scene import Scene, Solver
from wavelab.scene.model.shapes import Rectangle
from wavelab.scene.systems import SYSTEMS
from wavelab.scene.toml.toml_io import load_scene, save_scene
from wavelab.scene.walls import AbsorbingWall
from wavelab.simulation.solver.questions import PingsTaken, TakePings


def _patterns(*suffixes: str) -> str:
    return " ".join(f"*{suffix}" for suffix in suffixes)


SCENE_FILTER = "Scene (*.toml)"
DRAWING_FILTER = f"Drawing ({_patterns(*SUFFIXES)})"
OPEN_FILTERS = (
    f"Scenes, meshes and drawings ({_patterns('.toml', *READERS, *SUFFIXES)});;{SCENE_FILTER};;"
    f"Mesh ({_patterns(*READERS)});;{DRAWING_FILTER};;All files (*)"
)

NEW_TITLE = "New scene"


class Files(QObject):
    """Opens and saves scenes, and what becomes one.

    Emits ``opened(Path)`` when a scene was opened or saved, and ``let_go()`` when nobody
    will miss what was changed.
    """

    opened = Signal(object)
    let_go = Signal()

    def __init__(
        self,
        session: Session,
        editor: Editor,
        views: ViewController,
        outbox: Outbox,
        dialogs: Dialogs,
        message: MessageBar,
        recordings: Recordings,
    ) -> None:
        super().__init__()
        self._session = session
        self._editor = editor
        self._views = views
        self._outbox = outbox
        self._dialogs = dialogs
        self._message = message
        self.recordings = recordings
        self._others = Others()
        self._others.seen(session.scene.path)
        self._drawings = Drawings(session, editor, message, dialogs, came_in=self._came_in)

    def open(self) -> None:
        path = self._dialogs.open_file("Open", self._outbox.folder, OPEN_FILTERS)
        if path is not None:
            self.open_path(path)

    def import_drawing(self) -> None:
        """A drawing whose layers become what is said of them."""
        path = self._dialogs.open_file("Import drawing", self._outbox.folder, DRAWING_FILTER)
        if path is not None:
            self._editor.settle()
            self._drawings.open_layers(path)

    def new(self) -> None:
        """An empty room, to draw in, for the waves that are chosen."""
        self._editor.settle()
        physics = self._dialogs.choose_waves("New scene", self._session.scene.physics)
        if physics is not None:
            self._editor.open(empty_room(physics))

    def change_waves(self) -> None:
        """Other waves in the same scene."""
        self._editor.settle()
        physics = self._dialogs.choose_waves("Waves", self._session.scene.physics)
        if physics is not None and physics != self._session.scene.physics:
            self._editor.attempt(set_physics, physics)

    def open_path(self, path: Path) -> None:
        """A scene, or a mesh file or drawing, which becomes the domain of a new scene."""
        self._editor.settle()
        if is_drawing(path):
            self._drawings.open(path)
            return
        with self._editor.telling():
            self._others.seen(path)  # before it is read: a change while it is read is one
            self._editor.open(scene_of_file(path, self._session.scene))
            self._came_in(path)

    def drop_path(self, path: Path) -> None:
        """As :meth:`open_path`, but a drawing may become obstacles in the present domain, and a
        source plays a recording."""
        self._editor.settle()
        if is_recording(path):
            self.recordings.play(path)
        elif is_drawing(path):
            self._drawings.offer(path)
        else:
            self.open_path(path)

    def save(self) -> None:
        self._editor.settle()
        path = self._session.scene.path
        if path is None or is_shipped(path):
            self.save_as()
        elif self._others.changed(path):
            self._message.inform(
                f"{path.name} has been changed by another program, or in another window, since it "
                "was opened or saved here. Nothing is saved yet.",
                buttons={
                    "Save under another name": self.save_as,
                    "Replace it": lambda: self._save_to(path),
                },
            )
        else:
            self._save_to(path)

    def may_close(self) -> bool:
        """Whether the window may close: what was not saved is saved, or not worth it."""
        self._editor.settle()
        if not self._session.modified:
            return True
        answer = self._dialogs.ask_to_save(self._session.scene.title)
        if answer == "save":
            self.save()
        done = answer == "discard" or not self._session.modified
        if done:
            self.let_go.emit()
        return done

    def save_as(self) -> None:
        self._editor.settle()
        path = self._outbox.choose("Save scene", self._outbox.suggestion(".toml"), SCENE_FILTER)
        if path is not None:
            self._save_to(path)

    def save_replay(self) -> None:
        """A scene whose run gives the field of this moment again, pings and all."""
        self._editor.settle()
        suggestion = self._outbox.suggestion("_pings.toml")

        def write(path: Path, taken: PingsTaken) -> None:
            with self._editor.telling():
                scene = with_pings(self._session.scene, taken)
                if self._write(scene, path, in_words(self._session.scene, taken)):
                    self.opened.emit(path)

        take_and_choose(
            partial(self._session.solver.ask, TakePings()),
            lambda: self._outbox.choose("Save with pings", suggestion, SCENE_FILTER),
            write,
        )

    def scene_changed(self) -> None:
        """Another scene or domain does not wait for a drawing that is being read."""
        self._drawings.scene_changed()

    def close(self) -> None:
        """Give up what is being read."""
        self._drawings.close(0.0)

    def _came_in(self, path: Path) -> None:
        self._outbox.remember(path)
        self.opened.emit(path)

    def _save_to(self, path: Path) -> None:
        scene = self._session.scene
        if scene.title in (DRAWN_TITLE, NEW_TITLE):
            scene = replace(scene, title=path.stem)
        if (written := self._write(scene, path, "Scene")) is not None:
            self._session.mark_saved(written)
            self.opened.emit(path)

    def _write(self, scene: Scene, path: Path, what: str) -> Scene | None:
        """The scene as it is on disk now, shown as the field is now; None if it could not be."""
        scene = replace(scene, path=path, view=self._views.as_view())
        written = self._outbox.write(path, lambda: save_scene(scene, path), what)
        if written:
            self._others.seen(path)
        return scene if written else None


def empty_room(physics: str = "light") -> Scene:
    """Nothing in it, and walls from which hardly anything comes back."""
    system = SYSTEMS[physics]
    return Scene(
        physics=physics,
        background=system.medium(),
        initial=system.fields(),
        title=NEW_TITLE,
        description="An empty room with absorbing walls, to draw in.",
        solver=Solver(element_size=0.09),
        outline=Rectangle((0.0, 0.0), (3.2, 2.0)),
        walls=(AbsorbingWall(("domain",)),),
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
        return scene_of_drawing_file(path, like)
    if not is_plain_file(path):
        raise WavelabError("there is no such file", where=str(path))
    return with_mesh_file(like, real_path(path))
