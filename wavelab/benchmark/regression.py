"""Has it become slower?  Shares of the limit against recorded ones: ratios, not seconds."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wavelab.benchmark.stages import StageRate
from wavelab.errors import WavelabError
from wavelab.opencl.variants.variants import ALIASES
from wavelab.reading import read_plain_file

#: What a share may fall to, of the one recorded.  For an idle machine: on a processor shared with
#: other programs, shares of the same program can differ by a factor of two.
TOLERATED = 0.8
_KEY = ("device", "design", "precision", "order", "elements")


def _key(row: Mapping[str, Any]) -> tuple:
    """What a row is compared by."""
    return tuple(ALIASES.get(row[k], row[k]) if k == "design" else row[k] for k in _KEY)


@dataclass(frozen=True)
class Comparison:
    """A share of the limit now and as recorded; both from measurements of their own limits."""

    rate: StageRate
    recorded: float

    @property
    def ok(self) -> bool:
        return self.rate.limit_share >= TOLERATED * self.recorded


def read_baseline(baseline: Path) -> dict[tuple, float]:
    """The shares of the limit in a file that ``wavelab bench --json`` has written.

    Raises
    ------
    WavelabError : the file is not readable or not of that kind.
    """
    try:
        rows = json.loads(read_plain_file(baseline))
        return {_key(row): float(row["limit_share"]) for row in rows}
    except OSError as error:
        raise WavelabError(f"cannot be read: {error.strerror}", where=str(baseline)) from None
    except (ValueError, TypeError, LookupError, RecursionError):
        raise WavelabError(
            "is no record of a benchmark", where=str(baseline), remedy=_how_to_record(baseline)
        ) from None


def compare(rates: Sequence[StageRate], baseline: Path) -> list[Comparison]:
    """Compare with a file that ``wavelab bench --json`` has written.

    Returns
    -------
    One comparison for each rate that the file has of the same device, variant, precision, order
    and number of elements.

    Raises
    ------
    WavelabError : the file is not readable or not of that kind, or has nothing to compare with.
    """
    recorded = read_baseline(baseline)
    found = [
        Comparison(rate, recorded[key]) for rate in rates if (key := _key(rate.row())) in recorded
    ]
    if not found:
        raise WavelabError(
            "has nothing measured on this device with these variants, orders and elements",
            where=str(baseline),
            remedy=_how_to_record(baseline),
        )
    return found


def _how_to_record(baseline: Path) -> str:
    return f"Record one: wavelab bench --json > {baseline}"
