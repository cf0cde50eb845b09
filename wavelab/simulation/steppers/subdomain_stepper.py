"""One rank: what it does when the first one asks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Indices, Mask
from wavelab.errors import DeviceError, WavelabError
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.monitors.probe_points import ProbePoints
from wavelab.physics.monitors.samples import Sampling
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.operator import Operator
from wavelab.physics.stepper import Stepper, TimeScheme
from wavelab.physics.subdomains.partition import Subdomain
from wavelab.ranks.communicator import Communicator, RankError
from wavelab.ranks.in_process import ThreadRank
from wavelab.simulation.steppers.one_device import Maker, OnNumpy, on_device

if TYPE_CHECKING:  # pyopencl may be missing
    from wavelab.opencl.elements.layout import KernelConfig

Number = TypeVar("Number", bound=np.generic)


@dataclass(frozen=True)
class RankFacts:
    """What computes on a rank, and how.

    Attributes
    ----------
    driver : its version; "" in NumPy.
    config : of the kernels; None in NumPy.
    """

    backend: str
    device: str
    precision: str
    driver: str
    config: KernelConfig | None

    @classmethod
    def of(cls, stepper: Stepper) -> RankFacts:
        """Those of a stepper."""
        driver = getattr(getattr(stepper, "opencl_device", None), "driver_version", "").strip()
        config = getattr(stepper, "config", None)
        return cls(stepper.backend, stepper.device, stepper.precision, driver, config)


#: What ranks do together: a failure there leaves others waiting.
_TOGETHER = ("advance", "advance_part", "exchange_alone")


@dataclass(frozen=True)
class Failed:
    """An answer: it could not be done, and nothing has changed."""

    error: WavelabError


class SubdomainStepper:
    """A stepper of one rank, asked in terms of the rank's own elements, without the halo.

    What is the same for a part of a mesh is asked of the stepper itself.
    """

    def __init__(self, stepper: Stepper, subdomain: Subdomain) -> None:
        self.stepper = stepper
        self._own: Mask = subdomain.own
        self._equations: tuple[AuxiliaryEquations, ...] = ()

    def does(self, name: str, arguments: Sequence[Any]) -> Any:
        """What a method of the rank, or else of its stepper, gives."""
        return (getattr(self, name, None) or getattr(self.stepper, name))(*arguments)

    def facts(self) -> RankFacts:
        """What computes here."""
        return RankFacts.of(self.stepper)

    def set_fields(self, fields: Fields) -> None:
        def spread(field: Array) -> Array:
            return pieces([field], [np.flatnonzero(self._own)], (len(self._own), field.shape[1]))

        self.stepper.set_fields(fields.of([*map(spread, fields.arrays)], fields.auxiliary))

    def fields(self) -> Fields:
        fields = self.stepper.fields()
        return replace(fields.at(self._own), auxiliary=fields.auxiliary)

    def view(self, quantity: str) -> NDArray[np.float32]:
        return self.stepper.view(quantity)[self._own]

    def element_energy(self) -> Array:
        return self.stepper.element_energy()[self._own]

    def first_not_finite(self) -> tuple[int, Mask] | None:
        found = self.stepper.first_not_finite()
        return found and (found[0], found[1][self._own])

    def set_auxiliary_equations(self, equations: Sequence[AuxiliaryEquations]) -> None:
        self._equations = tuple(equations)
        self.stepper.set_auxiliary_equations(self._equations)

    def goes_direct(self) -> bool:
        """Whether traces go from device to device, and not through the host."""
        return bool(getattr(self.stepper, "direct", False))

    def set_exchanging(self, exchanging: bool) -> None:
        """Whether the halo is asked for, in OpenCL; without it fields are wrong."""
        vars(self.stepper)["exchanging"] = exchanging

    def set_sampling(
        self, points: ProbePoints, losses: Sequence[int | AuxiliaryEquations], every: int
    ) -> None:
        """Losses are those of others without variables, or of its own by their number."""
        of = tuple(self._equations[e] if isinstance(e, int) else e for e in losses)
        self.stepper.set_sampling(Sampling(points, of), every)


class Server:
    """Does what the first rank asks; that one has a server, too.

    Parameters
    ----------
    number : of this rank among those of its machine, by which it chooses a device.
    """

    def __init__(self, communicator: Communicator, number: int) -> None:
        self._communicator, self._number = communicator, number
        self._stepper: SubdomainStepper | None = None

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
                return self._make(*arguments)
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

    def _make(
        self,
        operator: Operator,
        dt: float,
        scheme: TimeScheme,
        subdomain: Subdomain,
        backend: str,
        device: str | None,
        precision: str,
        config: KernelConfig | None,
        direct: bool | None,
    ) -> RankFacts:
        maker: Maker = OnNumpy()
        sharing: Sequence[Any] = ()
        if backend == "opencl":
            chosen = self.device(device, precision)
            maker = on_device(operator, scheme, precision=precision, device=chosen, config=config)
            if direct is not False and isinstance(self._communicator, ThreadRank):
                sharing = self._sharing(device, precision, anywhere=direct is True)
        made = maker.halo_stepper(operator, dt, scheme, subdomain, self._communicator, sharing)
        self._stepper = SubdomainStepper(made, subdomain)
        return self._stepper.facts()

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


def pieces(
    values: Sequence[NDArray[Number]], rows: Sequence[Indices], shape: tuple[int, ...]
) -> NDArray[Number]:
    """An array of that shape of some of its rows, and others, which are 0 where nobody has them."""
    whole = np.zeros(shape, values[0].dtype)
    for part, of in zip(values, rows, strict=True):
        whole[of] = part
    return whole
