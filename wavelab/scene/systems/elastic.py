"""Elastic waves in the plane (P and SV) in solids and fluids: velocity v and stress s,

density dv/dt = div s,   ds/dt = lambda (div v) 1 + mu (grad v + grad v^T),

with density speed^2 = lambda + 2 mu of P waves, and mu of S waves.  Where S waves have the speed 0
is a fluid.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.about import about, of_field
from wavelab.scene.model.item_error import ItemPath, require
from wavelab.scene.model.medium import LOSSY, POSSIBLE, Number, Plain, Rule, product
from wavelab.scene.model.scene import Wall
from wavelab.scene.systems import zener
from wavelab.scene.systems.formulas import of_steady_medium
from wavelab.scene.systems.system import ShownField, System
from wavelab.scene.walls import AbsorbingWall, Conductor, MagneticWall, OpenWall, PeriodicWall

#: Most that S waves can be as fast as P waves: then a solid has no stiffness but of shape.
FASTEST_SHEAR = (3 / 4) ** 0.5
#: Of P and S waves, where nothing is said.
_SPEEDS = 1.0, 0.577
_NOT_BELOW: Rule = (lambda value: value >= 0, "It must not be negative; a fluid has 0.")


@dataclass(frozen=True)
class Solid(Plain):
    """Density and speeds, relative to some solid, and quality factors.

    A quality factor Q is that of a Zener body with its peak of absorption at ``q_frequency``: there
    a plane wave loses about pi / Q of its amplitude from one crest to the next.  The speeds are
    those of waves much faster than that.  All but the frequency may be formulas of x and y.
    """

    density: Number = field(
        default=1.0, metadata=of_steady_medium("Density, relative to some solid")
    )
    p_speed: Number = field(
        default=_SPEEDS[0], metadata=of_steady_medium("Speed of P waves, along their way")
    )
    s_speed: Number = field(
        default=_SPEEDS[1],
        metadata=of_steady_medium("Speed of S waves, across their way; a fluid has 0"),
    )
    p_quality: Number = field(
        default=0.0,
        metadata=of_steady_medium(
            "Quality factor Q of P waves; 0: they lose what shear takes alone"
        ),
    )
    s_quality: Number = field(
        default=0.0,
        metadata=of_steady_medium("Quality factor Q of S waves; 0: they lose nothing"),
    )
    q_frequency: float = field(
        default=1.0, metadata=about("Frequency at which waves have these quality factors")
    )

    rules: ClassVar[Mapping[str, Rule]] = {
        "density": POSSIBLE, "p_speed": POSSIBLE, "s_speed": _NOT_BELOW,
        "p_quality": LOSSY, "s_quality": LOSSY, "q_frequency": POSSIBLE,
    }  # fmt: skip
    called: ClassVar[Mapping[str, str]] = {
        "epsilon": "1 / (density speed^2)", "mu": "density",
    }  # fmt: skip

    def check(self, item: ItemPath, what: str) -> None:
        """Formulas are judged where there is a mesh, but for the time."""
        for key in self.rules:
            value = getattr(self, key)
            require(
                not (isinstance(value, Formula) and value.uses("t")),
                (*item, key),
                f"{key} of {what} changes in time",
                "Elastic media stay as they are: give a number, or a formula of x and y.",
            )
        p, s = self.p_speed, self.s_speed
        if not (isinstance(p, Formula) or isinstance(s, Formula)):
            require(
                s <= FASTEST_SHEAR * p,
                (*item, "s_speed"),
                f"s_speed of {what} is {s:g} where p_speed is {p:g}",
                f"It must not be greater than {FASTEST_SHEAR * p:.4g}: a solid resists "
                "compression, too.",
            )
        for key in ("p_quality", "s_quality"):
            quality = getattr(self, key)
            require(
                isinstance(quality, Formula) or quality == 0 or quality >= LOWEST_QUALITY,
                (*item, key),
                f"{key} of {what} is {_told(quality)}",
                f"A Zener body has {LOWEST_QUALITY:g} or more; 0 is without losses.",
            )
        if self.graded or self.relaxing is not None:
            return
        require(
            zener.loss_of_shear(*self._moduli, self._of_shear) < 1 / float(self.p_quality),  # type: ignore[arg-type]
            (*item, "p_quality"),
            f"p_quality of {what} is {_told(self.p_quality)}, more than shear alone leaves it",
            "Make it smaller, or s_quality larger: P waves shear a solid, too.",
        )
        require(
            False,
            (*item, "p_quality"),
            f"p_quality of {what} is {_told(self.p_quality)}, less than compression alone makes it",
            "Make it larger, or let S waves lose more by s_quality: P waves shear a solid, too.",
        )

    @property
    def graded(self) -> bool:
        """Whether something of it is a formula."""
        return any(isinstance(getattr(self, key), Formula) for key in self.rules)

    @property
    def relaxing(self) -> tuple[float, float] | None:
        """s of compression in the plane, of the modulus lambda + mu, and of shear, as
        :mod:`wavelab.scene.systems.zener` has it, where all are numbers; None where these qualities
        cannot be."""
        of_shear, p_quality = self._of_shear, float(self.p_quality)  # type: ignore[arg-type]
        if not p_quality:
            return 1.0, of_shear
        found = zener.of_compression(*self._moduli, of_shear, 1 / p_quality)
        return None if found is None else (found, of_shear)

    @property
    def _moduli(self) -> tuple[float, float]:
        """Of compression in the plane and of shear, over the density, where both are numbers."""
        p, s = float(self.p_speed), float(self.s_speed)  # type: ignore[arg-type]
        return p**2 - s**2, s**2

    @property
    def _of_shear(self) -> float:
        """s of shear."""
        quality = float(self.s_quality)  # type: ignore[arg-type]
        return zener.of_loss(1 / quality) if quality and self.s_speed else 1.0

    def coefficient(self, name: str) -> Number:
        """Those of a scalar wave as slow as the slowest here."""
        speed = self.s_speed or self.p_speed
        match name:
            case "epsilon":
                return product((self.density, -1), (speed, -2))
            case "mu":
                return self.density
        return 0.0

    @classmethod
    def of_index(cls, index: float) -> Solid:
        return cls(p_speed=_SPEEDS[0] / index, s_speed=_SPEEDS[1] / index)

    @classmethod
    def of_coefficients(
        cls, epsilon: Number, mu: Number, sigma: Number, magnetic_sigma: Number = 0.0
    ) -> Solid:
        """What changes in time is 1."""
        epsilon, mu = (
            1.0 if isinstance(value, Formula) and value.uses("t") else value
            for value in (epsilon, mu)
        )
        factors = (epsilon, -0.5), (mu, -0.5)
        return cls(mu, product(*factors), product(*factors, (3.0, -0.5)))


def _told(value: Number) -> str:
    return value.text if isinstance(value, Formula) else f"{value:g}"


#: Of a Zener body: below, its two moduli differ by more than a factor of 6.
LOWEST_QUALITY = 1.0


@dataclass(frozen=True)
class ElasticFormulas:
    """Formulas for the five fields."""

    vx: Formula | None = field(default=None, metadata=of_field("Velocity vx"))
    vy: Formula | None = field(default=None, metadata=of_field("Velocity vy"))
    sxx: Formula | None = field(default=None, metadata=of_field("Stress sxx"))
    syy: Formula | None = field(default=None, metadata=of_field("Stress syy"))
    sxy: Formula | None = field(default=None, metadata=of_field("Shear stress sxy"))

    # By the names of light, as notices ask: what is looked at first, and a vector.
    @property
    def ez(self) -> Formula | None:
        return self.vy

    @property
    def hx(self) -> Formula | None:
        return self.vx

    @property
    def hy(self) -> Formula | None:
        return self.vy


@dataclass(frozen=True)
class FreeSurface(Wall):
    """Nothing pulls or pushes at it: no traction."""

    label = "free"
    effect = "Nothing pulls at it, as at the ground: P and S waves change into each other"
    noun = "free"
    pen = MagneticWall.pen
    returned = 1.0
    returned_along = 1.0


@dataclass(frozen=True)
class ClampedEdge(Wall):
    """It does not move."""

    label = "clamped"
    effect = "It does not move: waves come back with the other sign"
    noun = "clamped"
    pen = Conductor.pen
    returned = -1.0
    returned_along = -1.0


@dataclass(frozen=True)
class SlipWall(Wall):
    """Nothing moves through it, and along it without friction: a plane of symmetry."""

    label = "slip"
    effect = "Nothing moves through it, all slides along it: a plane of symmetry"
    noun = "a slip wall"
    pen = Conductor.pen
    returned = -1.0
    returned_along = 1.0


ELASTIC = System(
    key="elastic",
    label="Elastic waves",
    meaning="P and S waves in solids and fluids: earthquakes, seismics, testing of materials",
    scalar=ShownField("vy", "vy", "Velocity vy", "vy"),
    x=ShownField("vx", "vx", "Velocity vx", "vx"),
    y=ShownField("vy", "vy", "Velocity vy", "vy"),
    size=ShownField("velocity", "|v|", "Velocity |v|", "h"),
    medium=Solid,
    fields=ElasticFormulas,
    walls={
        "free": FreeSurface,
        "clamped": ClampedEdge,
        "slip": SlipWall,
        "absorbing": AbsorbingWall,
        "open": OpenWall,
        "periodic": PeriodicWall,
    },
    unnamed=FreeSurface,
    own_speed=True,
    equations="elastic",
    others=(
        ShownField("sxx", "sxx", "Stress sxx", "sxx"),
        ShownField("syy", "syy", "Stress syy", "syy"),
        ShownField("sxy", "sxy", "Shear stress sxy", "sxy"),
        ShownField("pressure", "p", "Pressure p", "pressure"),
        ShownField("divergence", "div v", "Divergence of v: P waves", "divergence"),
        ShownField("curl", "curl v", "Curl of v: S waves", "curl"),
    ),
)
