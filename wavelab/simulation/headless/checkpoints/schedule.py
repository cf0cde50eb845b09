"""When a headless run writes its checkpoints, each in the place of the one before."""

from __future__ import annotations

import time
from collections.abc import Callable

import wavelab
from wavelab.atomic import discard
from wavelab.errors import OutputError
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.output.files.state_file import write_state
from wavelab.scene.model.scene import Scene
from wavelab.scene.toml.toml_io import dump_scene
from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.headless.batch_records import BatchRecords
from wavelab.simulation.headless.checkpoints.checkpoint import (
    FORM,
    KINDS,
    Checkpoint,
    configs_of,
    dealing_of,
    digests,
    machine_of,
    with_whole_paths,
)
from wavelab.simulation.headless.checkpoints.elsewhere import carried_of

#: Wall time between two checkpoints where nobody says another: seconds.
USUAL_SECONDS = 600.0


class Checkpoints:
    """Those of one run, each in the place of the one before.

    Parameters
    ----------
    options : of the run, which name the file.
    scene, mesh : what runs.
    notify : told if one cannot be written; the run goes on, and the one before stays.
    begun : the one that the run goes on from.
    clock : wall time in seconds.

    Attributes
    ----------
    n_written : how many there were.
    """

    def __init__(
        self,
        options: BatchOptions,
        scene: Scene,
        mesh: Mesh,
        notify: Callable[[str], None],
        begun: Checkpoint | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        assert options.checkpoint is not None
        self.begun, self.n_written = begun, 0
        self._path = options.checkpoint
        self._every = USUAL_SECONDS if options.every is None else options.every
        self._options, self._mesh = with_whole_paths(options), mesh
        self._scene, self._place, self._files = dump_scene(scene), scene.path, digests(scene)
        self._notify, self._clock = notify, clock
        self._began = self._last = clock()
        self._trouble = ""

    def offer(self, records: BatchRecords) -> None:
        """Write one if it is time to, and all is settled."""
        if self._clock() - self._last >= self._every and records.settled:
            self.write(records)

    def write(self, records: BatchRecords) -> None:
        """Write one now."""
        stepper = records.simulation.stepper
        wall = self._clock() - self._began + (self.begun.wall if self.begun is not None else 0.0)
        try:
            checkpoint = Checkpoint(
                wavelab.__version__,
                self._scene,
                self._place,
                self._files,
                self._options,
                self._mesh,
                machine_of(stepper),
                dealing_of(stepper),
                configs_of(stepper),
                stepper.dt,
                wall,
                records.mark(),
                carried_of(records.simulation),
            )
            write_state(self._path, FORM, checkpoint, KINDS)
            self.n_written += 1
        except OutputError as error:
            if str(error) != self._trouble:
                self._notify(f"no checkpoint: {error}")
            self._trouble = str(error)
        self._last = self._clock()

    def finish(self, records: BatchRecords) -> None:
        """The run is done, with all its files: nobody goes on from here."""
        discard(self._path)
        if records.film is not None:
            records.film.remove_parts()
