"""The notebooks run, each finds its own answer right, and none carries outputs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import run_notebook

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def test_there_are_notebooks():
    assert len(NOTEBOOKS) == 7


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_asserts_its_answer_at_the_end(path, tmp_path):
    last = run_notebook.cells(path)[-1]
    assert "\nassert " in last
    run = subprocess.run(
        [sys.executable, run_notebook.__file__, str(path)],
        cwd=tmp_path,
        env=dict(os.environ, PYTHONPATH=str(ROOT)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_carries_no_outputs(path):
    book = json.loads(path.read_text(encoding="utf-8"))
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    identifiers = [cell["id"] for cell in book["cells"]]
    assert len(set(identifiers)) == len(identifiers)
    for cell in book["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            assert cell["execution_count"] is None


def test_an_answer_that_is_wrong_fails(tmp_path):
    (path,) = (path for path in NOTEBOOKS if path.stem == "movie")
    cell = {"cell_type": "code", "source": ["assert 1 + 1 == 3"]}
    book = json.loads(path.read_text(encoding="utf-8")) | {"cells": [cell]}
    (tmp_path / "wrong.ipynb").write_text(json.dumps(book))
    command = [sys.executable, run_notebook.__file__, str(tmp_path / "wrong.ipynb")]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert "AssertionError" in run.stderr
