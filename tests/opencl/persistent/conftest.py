"""Kernels of many steps are compiled as a program compiles them."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="module", autouse=True)
def quickly_compiled() -> None:
    """They are not: PoCL's compiler has got some of these wrong."""
