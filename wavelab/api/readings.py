"""All that can be asked of a scene that runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from wavelab.api.course import Course
from wavelab.api.looks import chosen_view, pixels
from wavelab.api.media import media_fields, medium_at_nodes
from wavelab.api.pictures import Figure, Picture, style_of
from wavelab.api.results import Field, Measured, of_probe
from wavelab.api.scene import Scene
from wavelab.arrays import Array, Complex
from wavelab.errors import WavelabError
from wavelab.output.figures.style import USUAL_PARTS
from wavelab.scene.model.item_error import require_one_of
from wavelab.scene.systems import system_of
from wavelab.scene.view.quantities import can_show, names_of
from wavelab.simulation.energy.account import Account
from wavelab.simulation.headless.batch_pictures import picture_pixels
from wavelab.simulation.headless.figures import field_figure, plots_of
from wavelab.simulation.headless.snapshots import check_snapshots, write_snapshot
from wavelab.simulation.views.views import view
from wavelab.timeline import NO_TIMELINE


class Readings:
    """What a :class:`Simulation` tells, at any time between two steps."""

    _scene: Scene
    #: None once it is closed.
    _of: Course | None = None
    #: The process whose device computes; 0 where NumPy does.
    _process: int

    @property
    def _course(self) -> Course:
        if self._of is None:
            raise WavelabError(
                "the simulation is closed", remedy="Make another one of the same scene."
            )
        if self._process:
            from wavelab.opencl.device.forks import check_not_forked

            check_not_forked(self._process)
        return self._of

    @property
    def scene(self) -> Scene:
        """What runs, with the values that were given for it."""
        return self._scene

    @property
    def time(self) -> float:
        """Simulated time."""
        return self._course.core.time

    @property
    def steps(self) -> int:
        """Steps that were taken."""
        return self._course.core.steps

    @property
    def dt(self) -> float:
        """The time step."""
        return self._course.core.dt

    @property
    def device(self) -> str:
        """What computes."""
        return self._course.core.stepper.device

    @property
    def nodes(self) -> tuple[Array, Array]:
        """x and y, (n_elements, nodes_per_element) each, of the nodes."""
        d = self._course.core.problem.discretization.seen
        return d.x.copy(), d.y.copy()

    @property
    def decayed(self) -> bool:
        """Whether the wave has died away as far as was asked for."""
        return self._course.decay.ended

    def energy(self) -> float:
        """In the fields now, and in dispersive media."""
        return float(self._course.core.element_energy().sum())

    @property
    def ledger(self) -> Account:
        """The account of energies up to now: what came in, and where it went.

        Raises
        ------
        WavelabError : none is kept.
        """
        course = self._course
        if course.ledger is None:
            raise WavelabError("the simulation keeps no ledger", remedy="Make it with ledger=True.")
        course.ledger.update(course.core)
        return course.ledger.account

    def field(self, name: str | None = None) -> Field:
        """A field as it is now.

        Parameters
        ----------
        name : one of the physics of the scene, such as "ez", "hx", "hy" and "h" for |H|, "energy"
            for its density, what media are made of, such as "epsilon", or another quantity that the
            view of a scene can show.  None is the scalar, Ez.  Of a crystal what it has axes for is
            NaN; where fields are complex, "h", "energy" and other quantities are of the real part.

        Raises
        ------
        WavelabError : there is none of that name.
        """
        core, scene = self._course.core, self._scene.model
        system, whole = system_of(scene), core.problem.discretization
        of_solver = core.problem.operator.fields.names
        known = {n: q for n, q in names_of(system).items() if can_show(q, scene.monitors)}
        media = media_fields(system)
        name = system.scalar.key if name is None else name
        require_one_of(name, (*known, *media), ("field",), "the field")
        values: Array | Complex
        if name in media:
            values = medium_at_nodes(scene, whole.seen, name, core.time)
        elif (shown := system.shown.get(known[name])) is not None and shown.of in of_solver:
            both: Array = shown.sign * getattr(core.stepper.fields(), shown.of)
            values = both if whole.copies == 1 else both[::2] + 1j * both[1::2]
        else:
            values = view(core, known[name]).astype(np.float64)
        return Field(name, core.time, values, whole.seen)

    @property
    def probes(self) -> Mapping[str, Measured]:
        """What probes have recorded, by their names: ``probes["screen"]["ez"]`` at ``["time"]``,
        after every step."""
        log = self._course.log
        times, values = log.rows()
        system = system_of(self._scene.model)
        return MappingProxyType(
            {
                name: of_probe(name, quantity, times, found, system)
                for name, quantity, found in zip(log.names, log.quantities, values.T, strict=True)
            }
        )

    @property
    def monitors(self) -> Mapping[str, Measured]:
        """What monitors have measured up to now, by their names: ``monitors["out"]["power"]``."""
        found, system = self._course.core.measured(), system_of(self._scene.model)
        return MappingProxyType({result.name: Measured(result, system) for result in found})

    def summary(self) -> dict[str, Any]:
        """All of it, as ``wavelab run --json`` prints it, with arrays for lists."""
        return self._course.summary()

    def picture(self, quantity: str | None = None, *, size: tuple[int, int] | None = None,
                **look: Any) -> Picture:  # fmt: skip
        """What is seen now.

        Parameters
        ----------
        quantity : what is shown, as for :meth:`field`; by default as the scene says.
        size : (width, height) in pixels; the shape of the domain by default.
        look : ``palette``, ``limit``, ``arrows``, ``decades``, ``relief`` and ``part`` as in the
            ``view`` of a scene.

        Raises
        ------
        WavelabError : it cannot be shown so.
        """
        core = self._course.core
        chosen = chosen_view(core.problem.scene, quantity, look)
        return Picture(picture_pixels(core, chosen, pixels(size)))

    def figure(
        self,
        quantity: str | None = None,
        *,
        size: str | None = None,
        dpi: int = 300,
        ground: str = "light",
        parts: str | Sequence[str] = USUAL_PARTS,
        **look: Any,
    ) -> Figure:
        """What is seen now, as a figure for a paper: with axes, colour bar and outlines.

        Parameters
        ----------
        quantity, look : as for :meth:`picture`; it is shown flat.
        size : such as "8.5x6cm", or "8.5cm", to which the height follows.
        dpi : pixels per inch of the field in it.
        ground : "light" or "dark"; a palette that the scene leaves to the program is that of it.
        parts : what is on it, of "axes", "bar", "outlines", "marks", "title" and "time".

        Raises
        ------
        WavelabError : it cannot be shown so.
        """
        core = self._course.core
        chosen = chosen_view(core.problem.scene, quantity, look)
        style = style_of(size, dpi, ground, parts)
        return Figure(field_figure(core, chosen, style, same_palette="palette" in look))

    def plots(
        self,
        *,
        size: str | None = None,
        dpi: int = 300,
        ground: str = "light",
        parts: str | Sequence[str] = (),
    ) -> dict[str, Figure]:
        """Figures of what probes and monitors have recorded up to now, by names: "probes", those of
        the monitors, and "NAME_spectrum" where one has two.

        Parameters
        ----------
        size, dpi, ground, parts : as for :meth:`figure`.
        """
        course, style = self._course, style_of(size, dpi, ground, parts)
        probed = course.log.names, *course.log.rows()
        found = plots_of(course.core.problem.scene, course.core.measured(), probed, style)
        return {name: Figure(chart) for name, chart in found}

    def snapshot(self, path: str | Path) -> None:
        """Write all fields and the mesh as they are now: .h5, or .vtu for ParaView.

        Raises
        ------
        OutputError : the file cannot be written.
        """
        core = self._course.core
        check_snapshots(Path(path), None, core.problem.scene.solver.until)
        write_snapshot(Path(path), core, NO_TIMELINE)

    def __repr__(self) -> str:
        if self._of is None:
            return "<Simulation, closed>"
        core = self._of.core
        d = core.problem.discretization
        return (
            f'<Simulation of "{self._scene.title}": t = {core.time:.6g}, {core.steps:,} steps of '
            f"{core.dt:.4g}, {d.n_elements:,} elements of order {d.order}, {core.stepper.device}>"
        )
