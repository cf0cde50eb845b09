"""Drawings that come in: as a new domain, as obstacles in the present one, or layer by layer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from wavelab.app.controllers.editor import Editor
from wavelab.app.edits.domain_edits import cut_holes
from wavelab.app.panels.messages.message_bar import MessageBar
from wavelab.app.session.session import Session
from wavelab.app.window.background_task import BackgroundTask
from wavelab.app.window.dialogs import Dialogs
from wavelab.meshing.drawings import LAYOUTS
from wavelab.meshing.drawings.devices import device_scene
from wavelab.meshing.drawings.drawing import Drawing, read_drawing
from wavelab.meshing.drawings.drawing_scene import obstacles_of_drawing, scene_of_drawing
from wavelab.meshing.drawings.importing import length_in_micrometres, read_layers
from wavelab.meshing.drawings.layers import Layer
from wavelab.meshing.drawings.reading import read_document
from wavelab.meshing.outlines.outline import Document
from wavelab.scene.model.scene import Hole, Scene
from wavelab.scene.model.shapes import Shape


@dataclass(frozen=True)
class _Layered:
    """A drawing whose layers are to be asked about."""

    document: Document
    layers: tuple[Layer, ...]


@dataclass(frozen=True)
class _Read:
    """What came of a file: a scene, obstacles, or what may become one of them; and what is to be
    said of it."""

    path: Path
    content: Scene | tuple[Hole, ...] | Drawing | _Layered
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Asked:
    """What is being read, and the experiment and domain that it was asked for in."""

    path: Path
    experiment: int
    outline: Shape | None


class Drawings:
    """Reads drawings beside the window, which a large one would hold up.

    Another scene or domain that comes meanwhile stays: what is being read is given up then.

    Parameters
    ----------
    message : tells and asks the user; dialogs : ask about layers.
    came_in : called with the path of a drawing that is the scene now.
    """

    def __init__(
        self,
        session: Session,
        editor: Editor,
        message: MessageBar,
        dialogs: Dialogs,
        *,
        came_in: Callable[[Path], None],
    ) -> None:
        self._session = session
        self._editor = editor
        self._message = message
        self._dialogs = dialogs
        self._came_in = came_in
        self._reading = BackgroundTask[_Read]("drawing", found=self._found, failed=editor.complain)
        self._asked: _Asked | None = None

    def offer(self, path: Path) -> None:
        """Read a drawing, then ask what it is to be, where there is a choice."""
        if path.suffix.lower() in LAYOUTS:
            self.open_layers(path)
        elif self._session.scene.outline is None:
            self.open(path)
        else:
            self._start(path, lambda _: _Read(path, read_drawing(path)))

    def open(self, path: Path) -> None:
        """The largest outline becomes the domain of a new scene, or what is said of the layers of a
        layout."""
        if path.suffix.lower() in LAYOUTS:
            self.open_layers(path)
            return
        self._make_scene(path, lambda: read_drawing(path))

    def open_layers(self, path: Path) -> None:
        """Ask what the layers become, which then make a new scene."""

        def work(_: object) -> _Read:
            document = read_document(path)
            layers, notes = read_layers(document, path)
            return _Read(path, _Layered(document, layers), notes)

        self._start(path, work)

    def _ask_about_layers(self, read: _Read, layered: _Layered) -> None:
        scene, document = self._session.scene, layered.document
        roles = self._dialogs.choose_layers(
            read.path.name,
            document,
            layered.layers,
            scene.physics,
            length_in_micrometres(document.unit_name),
        )
        if roles is None:
            return

        def work(_: object) -> _Read:
            notes = list(read.notes)
            made = device_scene(
                document, read.path, roles, physics=scene.physics, like=scene, notify=notes.append
            )
            return _Read(read.path, made, tuple(notes))

        self._start(read.path, work)

    def _make_scene(self, path: Path, read: Callable[[], Drawing]) -> None:
        like = self._session.scene

        def work(_: object) -> _Read:
            notes: list[str] = []
            scene = scene_of_drawing(read(), like, notify=notes.append)
            return _Read(path, scene, tuple(notes))

        self._start(path, work)

    def _cut(self, drawing: Drawing) -> None:
        """All outlines become obstacles in the middle of the present domain."""
        outline = self._session.scene.outline
        if outline is None:
            self._make_scene(drawing.path, lambda: drawing)
            return
        bounds = outline.bounds()

        def work(_: object) -> _Read:
            notes: list[str] = []
            holes = obstacles_of_drawing(drawing, bounds, notify=notes.append)
            return _Read(drawing.path, holes, tuple(notes))

        self._start(drawing.path, work)

    def _ask_about(self, drawing: Drawing) -> None:
        name, frame = drawing.path.name, drawing.frame
        text = f"Is {name} a new domain, or are its outlines obstacles in this one?"
        choices = {"New domain": lambda: self._make_scene(drawing.path, lambda: drawing)}
        if frame:
            text += f" All others are within {frame}."
            choices |= {
                "Obstacles without frame": lambda: self._cut_within(drawing.without_frame()),
                "Frame as obstacle": lambda: self._cut(drawing),
            }
        else:
            choices["Obstacles"] = lambda: self._cut(drawing)
        if len({(o.layer, o.colour) for o in drawing.document.outlines}) > 1:
            choices["By layers"] = lambda: self.open_layers(drawing.path)
        self._message.inform(text, buttons=choices)

    def _cut_within(self, drawing: Drawing) -> None:
        """As :meth:`_cut`, but there may be a frame in the frame."""
        (self._ask_about if drawing.frame else self._cut)(drawing)

    def scene_changed(self) -> None:
        """Another scene or domain does not wait for what is being read."""
        if self._reading.busy:
            self._is_late()

    def _is_late(self) -> bool:
        """Whether what was asked for is given up, because the scene that it was for is gone."""
        asked, session = self._asked, self._session
        if asked is not None and asked.experiment != session.experiment:
            self._give_up(asked, "another scene came while it was read")
        elif asked is not None and asked.outline != session.scene.outline:
            self._give_up(asked, "the domain changed while it was read")
        else:
            return False
        return True

    def close(self, timeout: float) -> bool:
        """Give up what is being read; False if it was still at it after ``timeout`` seconds."""
        return self._reading.close(timeout)

    def _start(self, path: Path, work: Callable[[object], _Read]) -> None:
        if self._asked is not None and self._reading.busy and self._asked.path != path:
            self._give_up(self._asked, f"{path.name} was asked for while it was read")
        self._asked = _Asked(path, self._session.experiment, self._session.scene.outline)
        self._reading.start(work)

    def _give_up(self, asked: _Asked, why: str) -> None:
        self._reading.abandon()
        self._message.inform(f"Left out {asked.path.name}: {why}")

    def _found(self, read: _Read) -> None:
        if self._is_late():
            return
        if isinstance(read.content, _Layered):
            self._ask_about_layers(read, read.content)
            return
        if isinstance(read.content, Drawing):
            self._ask_about(read.content)
        elif isinstance(read.content, Scene):
            self._editor.open(read.content, saved=False)
            self._came_in(read.path)
        else:
            if not self._editor.attempt(cut_holes, read.content):
                return
        for note in read.notes:
            self._message.inform(note)
