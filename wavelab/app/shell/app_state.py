"""What the window shows of the program beside the wave itself: one frozen value."""

from __future__ import annotations

from dataclasses import dataclass

from wavelab.app.canvas.view_transform import ViewTransform
from wavelab.app.session.dispatched import Stage
from wavelab.app.session.remote import Recording
from wavelab.app.session.view_state import ViewState
from wavelab.scene.editing.properties import Key
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.units import Scale
from wavelab.simulation.messages.events import Loaded


@dataclass(frozen=True)
class AppState:
    """The program at one moment, by who owns each part.

    Attributes
    ----------
    physics : what the waves are: a key of ``SYSTEMS``.
    scale : what units the scene has, None for none.
    scene, modified, undo, redo, experiment : of the session: as wished for, whether it is not on
        disk like that, what the history would take back and make again, and how many experiments
        there were.
    said : of the editor: the scene without what is only tried out.
    busy, stage : of the session: whether a newer scene than the running one is on its way, and what
        it is at.
    generation, loaded : of the session: which scene runs, and how it is computed.
    playing, backwards, unlimited, tuning, recording : of the session's remote control.
    view : of the view controller: how the field is shown.
    part, bare, theme : of the canvas and the window: where one looks, whether all but the wave is
        hidden, the name of the theme.
    chosen : of the selection.
    hint : of the tool at hand.
    """

    physics: str
    scale: Scale | None
    scene: Scene
    said: Scene
    modified: bool
    undo: str
    redo: str
    experiment: int
    busy: bool
    stage: Stage | None
    generation: int | None
    loaded: Loaded | None
    playing: bool
    backwards: bool
    unlimited: bool
    tuning: bool
    recording: Recording | None
    view: ViewState
    part: ViewTransform
    bare: bool
    theme: str
    chosen: tuple[Key, ...]
    hint: str
