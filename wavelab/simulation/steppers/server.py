"""What a rank does, from its first to its last question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wavelab.arrays import Indices
from wavelab.errors import DeviceError, WavelabError
from wavelab.physics.operator.operator import Operator
from wavelab.physics.stepper import Stepper, TimeScheme
from wavelab.physics.subdomains.partition import Subdomain
from wavelab.ranks.communicator import Communicator, RankError
from wavelab.ranks.in_process import ThreadRank
from wavelab.scene.model.scene import Scene
from wavelab.simulation.steppers.excerpt_stepper import ExcerptStepper
from wavelab.simulation.steppers.one_device import Maker, OnNumpy, on_device
from wavelab.simulation.steppers.rank_part import RankPart
from wavelab.simulation.steppers.subdomain_stepper import RankFacts, SubdomainStepper

if TYPE_CHECKING:  # pyopencl may be missing
    from wavelab.opencl.elements.layout import KernelConfig

#: What ranks do together: a failure there leaves others waiting.
_TOGETHER = (
    "advance", "advance_part", "exchange_alone", "crowd", "excerpt_around", "see", "see_places",
)  # fmt: skip


@dataclass(frozen=True)
class Failed:
    """An answer: it could not be done, and nothing has changed."""

    error: WavelabError


class Server:
    """Does what the first rank asks; that one has a server, too.

    Parameters
    ----------
    number : of this rank among those of its machine, by which it chooses a device.
    """

    def __init__(self, communicator: Communicator, number: int) -> None:
        self._communicator, self._number = communicator, number
        self._stepper: SubdomainStepper | None = None
        self._part: RankPart | None = None
        self._finished: tuple[Operator, Subdomain, Indices] | None = None

    @property
    def stepper(self) -> Stepper:
        """That of this rank."""
        assert self._stepper is not None
        return self._stepper.stepper

    def serve(self) -> None:
        """Answer until there is nothing more to do, or another rank has failed."""
        while True:
            try:
                message = self._communicator.receive(0)
                if message is None:
                    return
                answer = self.answer(*message)
            except RankError:
                return
            self._communicator.send(0, answer)

    def answer(self, name: str, arguments: Sequence[Any]) -> Any:
        """What came out, or :class:`Failed`.

        Raises
        ------
        RankError : this or another rank cannot go on.
        """
        try:
            if name == "make":
                operator, subdomain, *how = arguments
                stepper = self._made(operator, subdomain, *how)
                return self._takes(SubdomainStepper(stepper, subdomain))
            if name == "open_part":
                self._part = RankPart(self._communicator, *arguments)
                return None
            if name == "make_part":
                return self._make_part(*arguments)
            if self._part is not None:
                return self._part.does(name, arguments)
            assert self._stepper is not None
            return self._stepper.does(name, arguments)
        except RankError:
            raise
        except Exception as error:
            told = self._told(error)
            if name in _TOGETHER:
                self._communicator.fail(told)
                raise RankError(self._communicator.rank, told) from error
            return Failed(told)

    def _takes(self, stepper: SubdomainStepper) -> RankFacts:
        self._stepper = stepper
        return stepper.facts()

    def _make_part(self, scene: Scene, *how: Any) -> RankFacts:
        """A stepper for the part that has been opened, of which nothing else stays."""
        if self._part is not None:
            self._finished, self._part = self._part.finished(), None
        assert self._finished is not None
        operator, subdomain, seen = self._finished
        stepper = self._made(operator, subdomain, *how)
        self._finished = None
        return self._takes(ExcerptStepper(stepper, operator, subdomain, seen, scene))

    def _made(
        self,
        operator: Operator,
        subdomain: Subdomain,
        dt: float,
        scheme: TimeScheme,
        backend: str,
        device: str | None,
        precision: str,
        config: KernelConfig | None,
        direct: bool | None,
    ) -> Stepper:
        maker: Maker = OnNumpy()
        sharing: Sequence[Any] = ()
        if backend == "opencl":
            chosen = self.device(device, precision)
            maker = on_device(operator, scheme, precision=precision, device=chosen, config=config)
            if direct is not False and isinstance(self._communicator, ThreadRank):
                sharing = self._sharing(device, precision, anywhere=direct is True)
        return maker.halo_stepper(operator, dt, scheme, subdomain, self._communicator, sharing)

    def _sharing(self, device: str | None, precision: str, *, anywhere: bool) -> Sequence[Any]:
        """The devices of all ranks, if these can copy from one to the other; none otherwise, and
        unless ``anywhere`` none with memory of their own."""
        from wavelab.opencl.device.contexts import have_memory_of_host, share_a_context
        from wavelab.opencl.device.device import usable_device

        numbers = range(self._communicator.size)
        devices = [usable_device(self.device(device, precision, n), precision) for n in numbers]
        if not (anywhere or have_memory_of_host(devices)):
            return ()
        return devices if share_a_context(devices) else ()

    def device(self, device: str | None, precision: str, number: int | None = None) -> Any:
        """One of several that are named, or of those that are alike.

        Parameters
        ----------
        number : of a rank among those of its machine; None for this one.
        """
        number = self._number if number is None else number
        if device is not None:
            named = device.split(",")
            return named[number % len(named)]
        try:
            from wavelab.opencl.device.device import devices_alike
        except (ImportError, OSError):
            return None  # said where one is used
        alike = devices_alike(precision)
        return alike[number % len(alike)]

    def _told(self, error: Exception) -> WavelabError:
        """With the number of the rank, so that one finds where it was."""
        rank = f"rank {self._communicator.rank}"
        if isinstance(error, WavelabError):
            error.where = f"{rank}, {error.where}" if error.where else rank
            return error
        return DeviceError(f"{type(error).__name__}: {error}", where=rank)
