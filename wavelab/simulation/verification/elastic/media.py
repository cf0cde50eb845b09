"""Solids and fluids of the cases, as numbers and as words of a scene file, and other such words."""

from __future__ import annotations

from dataclasses import dataclass

SIDES = """
[[walls]]
edges = ["domain.left", "domain.right"]
kind = "periodic"
"""
TOP_AND_BOTTOM = """
[[walls]]
edges = ["domain.bottom", "domain.top"]
kind = "periodic"
"""


@dataclass(frozen=True)
class Medium:
    """Density and speeds; without S waves it is a fluid."""

    density: float
    p_speed: float
    s_speed: float

    @property
    def mu(self) -> float:
        return self.density * self.s_speed**2

    @property
    def lame(self) -> float:
        """Lame's first modulus, lambda."""
        return self.density * self.p_speed**2 - 2 * self.mu

    def plane_wave(self, nx: float, ny: float, *, shear: bool) -> dict[str, float]:
        """What each field is, per unit of the velocity, in a plane wave in the direction (nx, ny):
        a P wave, which moves along its way, or an S wave, which moves to its left."""
        px, py = (-ny, nx) if shear else (nx, ny)
        speed = self.s_speed if shear else self.p_speed
        grows = self.lame * (nx * px + ny * py)
        return {
            "vx": px,
            "vy": py,
            "sxx": -(grows + 2 * self.mu * nx * px) / speed,
            "syy": -(grows + 2 * self.mu * ny * py) / speed,
            "sxy": -self.mu * (nx * py + ny * px) / speed,
        }

    @property
    def table(self) -> str:
        return "\n".join(f"{name} = {value!r}" for name, value in vars(self).items()) + "\n"


def stated(fields: dict[str, str]) -> str:
    """Initial fields and exact solution of formulas of the time, which is called T in them."""
    start = "\n".join(f'{k} = "{v.replace("T", "0")}"' for k, v in fields.items())
    exact = "\n".join(f'{k} = "{v.replace("T", "t")}"' for k, v in fields.items())
    return f"[initial]\n{start}\n[exact]\n{exact}\n"
