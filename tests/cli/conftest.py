"""The command line called in this process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.sample_scenes import boxed
from wavelab.cli import main

SMALL = boxed(
    "Small cavity",
    """\
[initial]
ez = "sin(pi*x)*sin(pi*y)"

[exact]
ez = "sin(pi*x)*sin(pi*y)*cos(sqrt(2)*pi*t)"

[[probes]]
name = "p"
position = [0.3, 0.4]

[solver]
element_size = 0.3
order = 3
until = 0.2
""",
)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A scene that runs in a moment."""
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    return path


@pytest.fixture
def wavelab(capsys) -> Callable[..., tuple[int, str, str]]:
    """Runs ``wavelab ...``; exit status, standard output and standard error."""

    def call(*words: object) -> tuple[int, str, str]:
        status = main([str(word) for word in words])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return call
