"""A headless run as those see it who look at it from outside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from wavelab.errors import WavelabError
from wavelab.physics.revision import revised
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.sending.pings import Ping
from wavelab.scene.toml.toml_io import dump_scene, parse_scene
from wavelab.scene.view.quantities import monitor_for
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.pings import Pings
from wavelab.simulation.watching.frame_messages import hello_message
from wavelab.simulation.watching.wire import Arrays


class WatchedRun:
    """What there is to see of a run, and what may be done to it.

    Parameters
    ----------
    pinged : called after a ping, with the step at which it came.
    fixed : whether it is to go on as it was begun.
    """

    def __init__(
        self,
        simulation: Simulation,
        pings: Pings,
        pinged: Callable[[int], None],
        fixed: bool = False,
    ) -> None:
        self.simulation, self._pings = simulation, pings
        self._pinged, self._fixed = pinged, fixed

    @property
    def steps(self) -> int:
        return self.simulation.steps

    @property
    def probe_names(self) -> tuple[str, ...]:
        return self.simulation.probes.names

    def has(self, quantity: str) -> bool:
        """Whether it can be shown: what a monitor finds only where there is one."""
        kind = monitor_for(quantity)
        monitors = self.simulation.problem.scene.monitors
        return kind is None or any(isinstance(monitor, kind) for monitor in monitors)

    def hello(self) -> tuple[dict[str, Any], Arrays]:
        """What a window has to know to show it."""
        simulation, stepper = self.simulation, self.simulation.stepper
        d = simulation.problem.discretization
        facts = {
            "device": stepper.device,
            "backend": stepper.backend,
            "precision": stepper.precision,
            "dt": stepper.dt,
        }
        return hello_message(dump_scene(simulation.said.scene), d.seen.mesh, facts)

    def ping(self, ping: Ping) -> None:
        """Give a ping now, if it touches an element."""
        if self._pings.give_now(ping):
            self._pinged(self.steps)

    def change(self, text: str) -> None:
        """Go on with the sources of another scene that is the same but for them.

        Raises
        ------
        WavelabError : it is another one, or cannot be.
        """
        if self._fixed:
            raise WavelabError(
                "a run with a checkpoint goes on as it was begun, with its sources",
                remedy="Undo this, or begin another run without a checkpoint.",
            )
        problem = self.simulation.said
        scene = parse_scene(text, problem.scene.path)
        if _but_for_sources(scene) != _but_for_sources(problem.scene):
            raise WavelabError(
                "only the sources of a far run can be changed",
                remedy="Undo this, or begin another run with it.",
            )
        wished = replace(problem.scene, sources=scene.sources, parameters=scene.parameters)
        with self.simulation.change(revised(problem, wished), self.simulation.state()):
            pass


def _but_for_sources(scene: Scene) -> str:
    """What of a scene has to stay: what is only shown and told of it does not matter."""
    view = Scene(scene.title, scene.solver).view
    shown = replace(scene, pings=(), view=view, labels=(), notes="", description="", path=None)
    return dump_scene(replace(shown, sources=(), parameters=()))
