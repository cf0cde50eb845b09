"""The account of energies that the ledger keeps."""

from __future__ import annotations

from dataclasses import dataclass, replace

#: Entries that grow from one account to the next.
_SUMMED = ("pings", "sources", "walls", "conductors", "numerical", "parametric", "carried")


@dataclass(frozen=True)
class Account:
    """Energies between the simulated times ``since`` and ``until``.

    Attributes
    ----------
    initial : stored at ``since``.
    pings : added by pings.
    sources : put in by the sources; negative if they took out more.
    walls : gone into walls that do not reflect everything, or through open walls: radiated or
        absorbed.
    conductors : turned into heat, where sigma > 0 and in dispersive media.
    numerical : lost by the upwind flux.
    stored : in the fields and in dispersive media at ``until``.
    looks : how often the powers were looked at.
    carried : had more or less after it was carried over to another mesh.
    parametric : put in by media that change in time; negative if they took out more.
    doubt : by how much the other entries change if half of the looks are left out.
    """

    since: float
    until: float
    initial: float
    pings: float
    sources: float
    walls: float
    conductors: float
    numerical: float
    stored: float
    looks: int
    parametric: float = 0.0
    carried: float = 0.0
    doubt: float = 0.0

    def followed_by(self, later: Account, *, other_mesh: bool = False) -> Account:
        """Both as one.  What the fields have more or less in the media that they are in since then
        is put in by the change; on another mesh, it was lost or won on the way there."""
        added = {
            entry: getattr(self, entry) + getattr(later, entry)
            for entry in (*_SUMMED, "looks", "doubt")
        }
        changed = later.initial - self.stored
        added["carried" if other_mesh else "parametric"] += changed
        return replace(
            later,
            since=self.since,
            initial=self.initial,
            **added,
        )

    @property
    def put_in(self) -> float:
        """All that came in, what was there at the start included."""
        return self.initial + self.pings + self.sources + self.parametric + self.carried

    @property
    def lost(self) -> float:
        """All that went out or was turned into heat, and what the scheme takes."""
        return self.walls + self.conductors + self.numerical

    @property
    def residual(self) -> float:
        """Stored energy that the other entries do not explain."""
        return self.stored - (self.put_in - self.lost)

    @property
    def turnover(self) -> float:
        """What the other entries are compared with: the energy handled since ``since``."""
        put_in = self.initial + self.pings + max(self.sources, 0.0) + max(self.parametric, 0.0)
        put_in += max(self.carried, 0.0)
        return max(put_in, self.stored, self.lost)

    def summary(self) -> dict[str, float]:
        """As in ``wavelab run --json``."""
        return {
            "initial": self.initial,
            "pings": self.pings,
            "sources": self.sources,
            "parametric": self.parametric,
            "walls": self.walls,
            "conductors": self.conductors,
            "numerical": self.numerical,
            "stored": self.stored,
            "residual": self.residual,
            "doubt": self.doubt,
        }
