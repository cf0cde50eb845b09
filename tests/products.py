"""What tests take of products of their parameters.

Compiling kernels takes most of the time of many tests, so that `make test` takes rows of a product
that have each pair of what matters among them, and `make hunt`, with ``EVERY=all``, all of it.
"""

from __future__ import annotations

import os
from typing import TypeVar

Case = TypeVar("Case")

#: Whether all of everything is asked for.
ALL = os.environ.get("EVERY") == "all"


def only_in_hunt(*cases: Case) -> list[Case]:
    """Cases that are tried where all of everything is asked for, and else left out."""
    return list(cases) if ALL else []
