"""PoCL is asked for nothing where it would abort the program."""

from __future__ import annotations

import os
import sys
from types import SimpleNamespace

import pyopencl as cl
import pytest

from wavelab.opencl.device import pocl_linker
from wavelab.opencl.device.pocl_linker import POCL, link_trouble
from wavelab.opencl.device.probe import run_probe

DEVICE = SimpleNamespace(platform=SimpleNamespace(name=POCL))


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    pocl_linker._trouble.cache_clear()
    yield
    monkeypatch.undo()
    pocl_linker._trouble.cache_clear()


def test_a_compiler_that_links_is_proof_enough(monkeypatch):
    monkeypatch.setattr(pocl_linker, "_TRIAL", "wavelab.no_such_module")
    assert link_trouble(DEVICE) == ""


@pytest.mark.skipif(
    POCL not in [platform.name for platform in cl.get_platforms()], reason="PoCL is not here"
)
def test_without_a_compiler_pocl_itself_is_tried(monkeypatch):
    monkeypatch.setattr(pocl_linker, "_COMPILERS", ("no-such-compiler",))
    assert link_trouble(DEVICE) == ""


def test_a_trial_that_is_aborted_makes_the_device_unusable(monkeypatch):
    """An empty PATH hides gcc and ld, as on a machine without them."""
    monkeypatch.setenv("PATH", os.devnull)
    assert "apt-get install gcc" in link_trouble(DEVICE)
    assert "apt-get install gcc" in run_probe(DEVICE)


def test_other_platforms_are_not_concerned(monkeypatch):
    monkeypatch.setattr(pocl_linker, "_COMPILERS", ())
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    assert link_trouble(SimpleNamespace(platform=SimpleNamespace(name="NVIDIA CUDA"))) == ""
