"""A checkpoint of a headless run: one file with all that it goes on from, bit for bit; to rounding
where the mesh is dealt out to other ranks.

The scene is in it as text, and its mesh as it was, so nothing is meshed again; files that sources
are driven by are not, but the file knows when they have become others.
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import wavelab
from wavelab.errors import DeviceError, OutputError, WavelabError
from wavelab.numerics.mesh.curves import EllipseCurve, FacePolynomials
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.numerics.time.pieces import Piece
from wavelab.output.arrows import Arrows
from wavelab.output.figures.style import Style
from wavelab.output.files.state_file import read_state
from wavelab.physics.monitors.running_transform import Sums
from wavelab.physics.operator.fields import ElasticFields, MaxwellFields
from wavelab.physics.stepper import KeptState, Stepper
from wavelab.physics.time.step_clock import StepClock
from wavelab.reading import read_plain_file
from wavelab.scene.model.overrides import given
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.sending.pings import Ping
from wavelab.scene.model.walking import files_in
from wavelab.scene.toml.toml_io import dump_scene, parse_scene
from wavelab.simulation.core.nan_guard import GuardMark
from wavelab.simulation.core.state import Moment
from wavelab.simulation.energy.account import Account
from wavelab.simulation.energy.ledger import LedgerMark
from wavelab.simulation.headless.batch_options import AS_IT_IS, BatchOptions
from wavelab.simulation.headless.batch_records import BatchMark
from wavelab.simulation.headless.checkpoints.elsewhere import Carried
from wavelab.simulation.headless.decay import DecayMark, Look
from wavelab.simulation.headless.snapshots import SeriesMark
from wavelab.simulation.movies.film import FilmMark, FilmMoment
from wavelab.simulation.movies.movie_recorder import AutoLimit
from wavelab.simulation.past.past import RunMoment
from wavelab.simulation.pings import PingsMark
from wavelab.simulation.records.monitor_records import RecordsMark
from wavelab.simulation.records.power_integral import PowerIntegral, Rule
from wavelab.simulation.steppers.partitioned import PartitionedStepper, facts_of

if TYPE_CHECKING:  # pyopencl may be missing
    from wavelab.opencl.elements.layout import KernelConfig

FORM = "wavelab checkpoint"
#: What may have other values in a run that goes on: no number depends on it.
FREE = ("checkpoint", "every", "progress", "long", "device", "watch", "key")
#: Files of the run, whose names are kept as they are from anywhere.
_FILES = ("image", "wav", "movie", "swing", "probes", "snapshot", "monitors", "gather")
_FILE_LISTS = ("figure", "plots")


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """A headless run between two steps.

    Attributes
    ----------
    version : of wavelab.
    scene, place : its text, and where its file was.
    files : digests of the files that it names, but for the mesh.
    options : of the run.
    mesh : as it was made or read, before elements were put in order.
    machine : what the numbers depend on to the last bit.
    dealing : how the mesh is dealt out, of which that is known too.
    configs : of the kernels of each rank.
    wall : seconds that the run has taken.
    carried : what it goes on from where the mesh is dealt out otherwise.
    """

    version: str
    scene: str
    place: Path | None
    files: dict[Path, str]
    options: BatchOptions
    mesh: Mesh
    machine: str
    dealing: str
    configs: list[dict[str, Any] | None]
    dt: float
    wall: float
    mark: BatchMark
    carried: Carried

    @property
    def kernel_configs(self) -> list[KernelConfig | None]:
        """``configs`` as a stepper takes them."""
        if not any(self.configs):
            return [None] * len(self.configs)
        from wavelab.opencl.elements.layout import KernelConfig

        return [None if config is None else KernelConfig(**config) for config in self.configs]

    @property
    def title(self) -> str:
        """Of the scene."""
        return parse_scene(self.scene, self.place, has_mesh=True).title

    def scene_again(self) -> Scene:
        """
        Raises
        ------
        SceneError : it cannot be used any more, as when a file that it names has gone.
        WavelabError : such a file has become another.
        """
        scene = parse_scene(self.scene, self.place, has_mesh=True)
        for path, digest in digests(scene).items():
            if self.files.get(path) != digest:
                raise WavelabError(
                    "is another file than when the run began",
                    where=str(path),
                    remedy="Put back the one there was, or begin the run anew.",
                )
        return scene

    def options_again(self, wished: BatchOptions, path: Path) -> BatchOptions:
        """Those of the run, with what is free of those that are wished now.

        Parameters
        ----------
        path : of this checkpoint, in the place of which the next ones are written.
        """
        free = given(**{name: getattr(wished, name) for name in FREE})
        return replace(self.options, **{"checkpoint": path, **free})

    def check_same(self, scene: Scene | None, options: BatchOptions) -> None:
        """
        Parameters
        ----------
        scene, options : what somebody says of a run that is to go on, so far as they do.

        Raises
        ------
        WavelabError : the run was begun otherwise.
        """
        if scene is not None and dump_scene(options.applied(scene)) != self.scene:
            if options.applied(scene).title == self.title:
                what = "was changed since then, or is run with other options"
            else:
                what = "is another one"
            raise WavelabError(
                f"the run that is to go on is not of this scene, which {what}",
                where=scene.where,
                remedy="Leave the scene out, which is in the checkpoint, or begin anew without "
                "--resume.",
            )
        options = with_whole_paths(options)
        for f in fields(BatchOptions):
            wished, is_so = getattr(options, f.name), getattr(self.options, f.name)
            if f.name in FREE or wished in (getattr(AS_IT_IS, f.name), is_so):
                continue
            was = "without it" if is_so == getattr(AS_IT_IS, f.name) else f"with {is_so}"
            raise WavelabError(
                f"a run goes on as it was begun: {f.name} is {wished}, and it was begun {was}",
                remedy="Leave it out, or begin anew without --resume.",
            )


def read_checkpoint(path: Path) -> Checkpoint:
    """
    Raises
    ------
    OutputError : it is no whole checkpoint, or one of another version.
    """
    found = read_state(path, FORM, KINDS)
    if not isinstance(found, Checkpoint) or found.version != wavelab.__version__:
        version = found.version if isinstance(found, Checkpoint) else "none"
        raise OutputError(
            f"was written by version {version}, and this is {wavelab.__version__}",
            where=str(path),
            remedy=f"Go on with version {version}, or begin the run anew.",
        )
    return found


def check_machine(begun: Checkpoint, stepper: Stepper) -> None:
    """
    Raises
    ------
    DeviceError : numbers would go on otherwise here.
    """
    machine = machine_of(stepper)
    if machine != begun.machine:
        raise DeviceError(
            f"the run was begun on {begun.machine}, and this is {machine}",
            remedy="On another device it would not go on to the bit: resume it there, or begin "
            "anew.",
        )
    if stepper.dt != begun.dt:
        raise WavelabError(
            f"its steps would be {stepper.dt!r} long here, and were {begun.dt!r}",
            remedy="The scene is solved otherwise than when the run began: begin anew.",
        )


def machine_of(stepper: Stepper) -> str:
    """Backend, devices and drivers."""
    each = ((of.backend, of.device, of.driver) for of in facts_of(stepper))
    return " and ".join(dict.fromkeys(", ".join(filter(None, names)) for names in each))


def dealing_of(stepper: Stepper) -> str:
    """Of how many ranks there are, which elements each has and how its kernels lie."""
    if not isinstance(stepper, PartitionedStepper):
        return "1"
    digest = hashlib.blake2b(repr(stepper.facts).encode(), digest_size=16)
    for part in stepper.parts:
        digest.update(part.elements.astype("<i8").tobytes())
    return f"{len(stepper.parts)}, {digest.hexdigest()}"


def configs_of(stepper: Stepper) -> list[dict[str, Any] | None]:
    """How the kernels of each rank are laid over its device, where there is a choice."""
    return [None if of.config is None else asdict(of.config) for of in facts_of(stepper)]


def with_whole_paths(options: BatchOptions) -> BatchOptions:
    """The same from any directory."""
    named: dict[str, Any] = {name: getattr(options, name) for name in _FILES}
    whole = {name: path.expanduser().absolute() for name, path in named.items() if path}
    for name in _FILE_LISTS:
        paths = getattr(options, name)
        whole[name] = tuple(path.expanduser().absolute() for path in paths)
    return replace(options, **whole)


def digests(scene: Scene) -> dict[Path, str]:
    """Of the files that a scene names, but for that of its mesh.

    Raises
    ------
    WavelabError : one cannot be read.
    """
    found = {}
    for path in files_in(replace(scene, mesh_file=None, path=None)):
        try:
            found[path] = hashlib.blake2b(read_plain_file(path), digest_size=16).hexdigest()
        except OSError as error:
            raise WavelabError(f"cannot be read: {error.strerror}", where=str(path)) from None
    return found


#: All that a checkpoint is made of.
KINDS = (
    Account, Arrows, AutoLimit, BatchMark, BatchOptions, Carried, Checkpoint, DecayMark,
    EllipseCurve, ElasticFields, FacePolynomials, FilmMark, FilmMoment, GuardMark, KeptState,
    LedgerMark, Look, MaxwellFields, Mesh, Moment, Piece, Ping, PingsMark, PowerIntegral,
    RecordsMark, Rule, RunMoment, SeriesMark, StepClock, Style, Sums,
)  # fmt: skip
