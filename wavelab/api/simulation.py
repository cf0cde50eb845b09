"""A scene that runs, in the hands of a program."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, Self

from numpy.typing import ArrayLike

from wavelab.api.course import Course
from wavelab.api.given import count, device_named, nodal, real
from wavelab.api.looks import chosen_view, inline_pixels, pixels
from wavelab.api.pictures import Movie
from wavelab.api.readings import Readings
from wavelab.api.scene import Scene
from wavelab.api.telling import bars, log_of, warn
from wavelab.arrays import Array
from wavelab.errors import WavelabError
from wavelab.physics.materials.fluids import flowing
from wavelab.scene.model.item_error import require_one_of
from wavelab.scene.model.sending.pings import Ping, check_pings
from wavelab.scene.systems import system_of
from wavelab.simulation.core.state import State
from wavelab.simulation.headless.batch_options import BatchOptions, check_options
from wavelab.simulation.headless.batch_pictures import movie_of
from wavelab.simulation.headless.preparing import problem_in, stepper_to_end
from wavelab.simulation.headless.progress import Progress
from wavelab.timeline import NO_TIMELINE

#: In a movie that says nothing else.
_MOVIE_PICTURES = 300


class Simulation(Readings):
    """A scene with its mesh, its operators and the device that steps it.

    It is made at time 0.  The time step is the largest stable one of which a whole number leads to
    the end of the scene, as in ``wavelab run``, which gives the same numbers.  One thread at a time
    may use it; ``with Simulation(...) as simulation:`` frees the device at the end of the block.

    Parameters
    ----------
    scene : a :class:`Scene`, or what :meth:`Scene.load` takes.
    until, order, element_size, precision, stepper : in place of those in ``solver`` of the scene.
    backend : "auto" takes OpenCL if it works and else NumPy; or one of "opencl" and "numpy".
    device : number or part of the name of an OpenCL device; the fastest by default.
    variant : of the OpenCL kernels, "aosoa" or "per_node".
    ledger : keep the account of energies, see :attr:`ledger`.
    progress : show how far a run has come; None looks who watches: a notebook or a terminal gets a
        bar, and a log a line now and then.
    notify : told what one should know of the scene that is none the less computed; by default it is
        a warning of the class :class:`Notice`.

    Raises
    ------
    WavelabError : anything in the scene, the options or the device that can be put right.

    Examples
    --------
    >>> with wavelab.Simulation("double_slit", until=1) as simulation:
    ...     simulation.run()
    ...     ez = simulation.field("ez")
    ...     ez(1.0, 1.5)
    """

    def __init__(
        self,
        scene: Scene | str | Path,
        *,
        until: float | Literal["decayed"] | None = None,
        order: int | None = None,
        element_size: float | None = None,
        precision: str | None = None,
        stepper: str | None = None,
        backend: str = "auto",
        device: str | int | None = None,
        variant: str | None = None,
        ledger: bool = False,
        progress: bool | None = None,
        notify: Callable[[str], None] | None = None,
    ) -> None:
        self._notify, self._progress = notify or warn, progress
        self._scene = Scene.of(scene).solved(
            until=until,
            order=order,
            element_size=element_size,
            precision=precision,
            stepper=stepper,
        )
        options = BatchOptions(backend=backend, device=device_named(device), variant=variant)
        problem = problem_in(self._scene.model, self._notify)
        made = stepper_to_end(problem, options, self._notify)
        self._process = os.getpid() if made.backend == "opencl" else 0
        try:
            self._of = Course(problem, made, ledger, self._notify)
        except BaseException:
            made.close()
            raise

    def run(self, until: float | Literal["decayed"] | None = None, *, part: float = 1e-6) -> Self:
        """Go on to a time.

        Parameters
        ----------
        until : simulated time; the run ends at the first step that is not before it.  None goes to
            the end of the scene, and "decayed" also not further than that.
        part : of its largest energy that is left when a wave has "decayed", after all sources have
            fallen silent.

        Returns
        -------
        Itself.

        Raises
        ------
        WavelabError : that time has passed, or a source never falls silent.
        UnstableError : the field blew up.
        """
        course = self._course
        if until == "decayed":
            if not 0 < real(part, "the part of the energy") < 1:
                raise WavelabError(
                    f"the part {part:g} of an energy is never reached by decay",
                    remedy="It must be between 0 and 1, such as 1e-6.",
                )
            course.decay.end_at(part)
            self._go(course.end, until_decayed=True)
        elif until is None:
            course.decay.end_at(decayed := self._scene.model.solver.decayed)
            self._go(course.end, until_decayed=decayed > 0)
        else:
            self._go(course.step_at(until))
        if course.core.steps >= course.end or course.decay.ended:
            for text in course.decay.notices():
                self._notify(text)
        return self

    def step(self, n: int = 1) -> Self:
        """Take ``n`` steps; returns itself.

        Raises
        ------
        UnstableError : the field blew up.
        """
        course = self._course
        course.advance_to(course.core.steps + count(n, "steps", 0))
        return self

    def every(self, n: int, callback: Callable[[Simulation], object]) -> None:
        """Have ``callback(simulation)`` called after each step whose number is a multiple of ``n``.

        It may look at all there is, ping, and set fields, but not take steps.
        """
        if not callable(callback):
            raise WavelabError(f"{callback!r} cannot be called", remedy="Give a function.")
        self._course.every(count(n, "steps from one call to the next", 1), lambda: callback(self))

    def ping(self, x: float, y: float, radius: float, amplitude: float = 1.0) -> None:
        """Add amplitude exp(-d^2 / (2 radius^2)) to the scalar, Ez, d the distance from (x, y).

        Raises
        ------
        WavelabError : it touches no element, or its radius is none.
        """
        position = real(x, "x of the ping"), real(y, "y of the ping")
        size, height = real(radius, "the radius"), real(amplitude, "the amplitude")
        ping = Ping(self.time, position, size, height)
        check_pings([ping], exact=False)
        if not self._course.pings.give_now(ping):
            raise WavelabError(
                f"the ping at ({x:g}, {y:g}) touches no element",
                remedy="Give it a place in the domain, or a larger radius.",
            )

    def set_fields(self, **fields: ArrayLike | Callable[[Array, Array], ArrayLike]) -> None:
        """Replace fields: ``set_fields(ez=...)``, or others of the physics of the scene by their
        names; those that are not named stay.

        Clock and probes go on, but monitors begin anew.  The ledger books what energy that brings
        as pings.

        Parameters
        ----------
        fields : a function of arrays x and y, (n_elements, nodes_per_element) nodal values, or one
            number; of complex fields, where a periodic wall has a phase, they may be complex.

        Raises
        ------
        WavelabError : there is no such field, or it is no finite number at some node.
        """
        course = self._course
        core = course.core
        system = system_of(self._scene.model)
        shown_first = (system.scalar, system.x, system.y)
        known = {shown.key: shown for shown in (*shown_first, *system.of_solver.values())}
        new: dict[str, Array] = {}
        for name, given in fields.items():
            require_one_of(name, known, (name,), "the field")
            values = nodal(given, core.problem.discretization, name)
            new[known[name].of] = known[name].sign * values
        state = core.state()

        def act() -> None:
            now = flowing(core.problem.operator, replace(state.fields, **new))
            core.restore(State(now, state.time, state.steps))

        if course.ledger is not None:
            course.ledger.ping(core, act)
        else:
            act()

    def movie(
        self,
        until: float | None = None,
        path: str | Path | None = None,
        *,
        time_per_frame: float | None = None,
        fps: int = 30,
        quantity: str | None = None,
        size: tuple[int, int] | None = None,
        **look: Any,
    ) -> Movie:
        """Run to a time and record it.

        Parameters
        ----------
        until : as for :meth:`run`.
        path : file to write (.mp4, .webm or .gif); None keeps it in memory alone, as MP4.
        time_per_frame : simulated time from one picture to the next; by default so that there are
            300.
        fps : pictures per second when it is played.
        quantity, size, look : as for :meth:`picture`; in memory 640 pixels on the longer side.

        Raises
        ------
        WavelabError : as for :meth:`run`, or it cannot be shown or written so.
        """
        core, course = self._course.core, self._course
        end = course.end if until is None else course.step_at(until)
        scene = core.problem.scene
        chosen = chosen_view(scene, quantity, look)
        with tempfile.TemporaryDirectory(prefix="wavelab") as directory:
            target = Path(directory) / "movie.mp4" if path is None else Path(path)
            if path is None and size is None:
                size = inline_pixels(chosen.part or core.problem.discretization.mesh.vertices)
            apart = max((end - core.steps) * core.dt / _MOVIE_PICTURES, core.dt)
            if time_per_frame is not None:
                apart = real(time_per_frame, "the time per frame", positive=True)
            options = BatchOptions(
                movie=target,
                time_per_frame=apart,
                fps=count(fps, "pictures per second", 1),
                size=pixels(size),
            )
            check_options(replace(scene, view=chosen), options)
            with movie_of(core, options, NO_TIMELINE, chosen) as film, course.filmed(film):
                self._go(end)
            assert film is not None
            kept = None if path is None else target
            return Movie(target.read_bytes(), target.suffix, film.recorder.frames, kept)

    def close(self) -> None:
        """Free the device; nothing can be asked any more.  Closing twice is harmless."""
        if self._of is not None and (not self._process or self._process == os.getpid()):
            self._of.core.close()
        self._of = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _go(self, step: int, *, until_decayed: bool = False) -> None:
        course = self._course
        if step <= course.core.steps:
            return
        with Progress(
            self._scene.title,
            step - course.core.steps,
            step * self.dt,
            log=log_of(self._progress),
            notify=self._notify,
            long=True,
            **bars(self._progress),
        ) as progress:
            course.advance_to(step, progress, until_decayed=until_decayed)
