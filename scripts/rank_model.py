"""How far a mesh may be spread over graphics cards, by a model: python -m scripts.rank_model

Nothing here was measured on more than one card.  A stage of a rank with n elements takes

    max(t(inside), exchange) + t(border),    exchange = latency + bytes / bandwidth,

where t is the time of a stage by what was measured on one H200 (docs/measured/h200.json), launches
included, and the border that of a square part of a mesh of triangles: 4 sqrt(n / 2) faces, as many
elements, which each publish N + 1 numbers on one face.  Latency and bandwidth are assumptions: two
copies across PCIe, two launches and one message, and the slower of PCIe and network.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path

_MEASURED = Path(__file__).resolve().parent.parent / "docs" / "measured" / "h200.json"
_ORDER, _BYTES = 4, 4
#: Seconds that launches take of a stage, however small it is (3,200 elements on an H100).
_LAUNCH = 8.3e-6


@dataclass(frozen=True)
class Link:
    """What an exchange is made of: seconds, and bytes a second."""

    name: str
    latency: float
    bandwidth: float


LINKS = (
    Link("one machine, through host memory", 30e-6, 20e9),
    Link("many machines, 100 Gbit/s", 40e-6, 10e9),
)


def seconds_per_element() -> float:
    """Of a stage of a large mesh."""
    rates = json.loads(_MEASURED.read_text(encoding="utf-8"))
    (found,) = (r for r in rates if r["order"] == _ORDER and r["design"] == "aosoa")
    return float(found["stage_us"]) * 1e-6 / int(found["elements"])


def stage(n: float, link: Link | None, each: float) -> float:
    """Seconds of a stage of a rank with n elements."""
    if link is None:
        return max(_LAUNCH, n * each)
    border = min(n, 4 * math.sqrt(n / 2))
    exchange = link.latency + border * (_ORDER + 1) * _BYTES / link.bandwidth
    return max((n - border) * each, exchange) + max(_LAUNCH, border * each)


def smallest_hidden(link: Link, each: float) -> int:
    """Elements of a rank from which on the exchange takes no time of its own."""
    n = 100.0
    while (n - 4 * math.sqrt(n / 2)) * each < link.latency + 4 * math.sqrt(n / 2) * (
        _ORDER + 1
    ) * _BYTES / link.bandwidth:
        n *= 1.01
    return int(round(n, -3))


def main() -> None:
    """Print the tables of docs/performance.md."""
    each = seconds_per_element()
    print(f"order {_ORDER}, single precision, {each * 1e12:.0f} ps per element and stage")
    for link in LINKS:
        print(f"{link.name}: {link.latency * 1e6:.0f} us, {link.bandwidth / 1e9:.0f} GB/s; ")
        print(f"  hidden from {smallest_hidden(link, each):,} elements a card on")
        for total in (10**6, 10**7, 10**8):
            shares = []
            for cards in (8, 64, 1024):
                one, many = stage(total, None, each), stage(total / cards, link, each)
                shares.append(f"{cards:,}: {one / many:,.1f} times, {one / (cards * many):.0%}")
            print(f"  {total:>11,} elements on {'; '.join(shares)}")


if __name__ == "__main__":
    main()
