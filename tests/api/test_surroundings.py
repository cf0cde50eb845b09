"""What ``import wavelab`` costs and offers, and where a program runs."""

from __future__ import annotations

import ast
import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

import wavelab
from wavelab.api import telling

STUB = Path(wavelab.__file__).with_name("__init__.pyi")


def printed(code: str) -> str:
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return found.stdout


def test_importing_loads_nothing_that_is_not_asked_for():
    code = (
        "import sys; import wavelab; found = set(sys.modules); wavelab.WavelabError\n"
        "heavy = {'numpy', 'pyopencl', 'PyQt5', 'av', 'vispy', 'tqdm', 'mako'}\n"
        "print(sorted(found & heavy))\n"
        "wavelab.Scene, wavelab.Simulation, wavelab.sweep\n"
        "print(sorted(set(sys.modules) & {'PyQt5', 'pyopencl', 'vispy', 'wavelab.app'}))"
    )
    assert printed(code).splitlines() == ["[]", "[]"]


def test_every_name_is_there_and_told_to_type_checkers():
    stub = ast.parse(STUB.read_text(encoding="utf-8"))
    typed = {
        alias.asname: node.module
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert {*typed, "__version__"} == set(wavelab.__all__) <= set(dir(wavelab))
    for name, module in typed.items():
        assert getattr(wavelab, name) is getattr(importlib.import_module(module), name)
    with pytest.raises(AttributeError, match="no attribute 'Simulatoin'"):
        wavelab.Simulatoin  # noqa: B018


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_fork_after_a_run_says_so_and_numpy_goes_on_in_it():
    code = """
import os, sys, time
import wavelab

scene = wavelab.Scene(
    domain={"shape": "rectangle", "lower": [0, 0], "upper": [1, 1]},
    initial={"ez": "x"}, solver={"element_size": 0.5, "order": 1, "until": 0.1},
)
old = wavelab.Simulation(scene, backend="opencl")
old.run()
if os.fork():
    os.wait()
    old.step()
    print("the parent goes on")
    sys.exit()
for name, call in {
    "step": old.step, "anew": lambda: wavelab.Simulation(scene),
    "opencl": lambda: wavelab.Simulation(scene, backend="opencl"),
}.items():
    try:
        call()
    except wavelab.WavelabError as error:
        print(name, "spawn" in error.remedy, error.message)
print(wavelab.Simulation(scene, backend="numpy").run().time)
old.close()
sys.stdout.flush()
os._exit(0)
"""
    lines = printed(code).splitlines()
    assert [line.split()[:2] for line in lines[:3]] == [
        ["step", "True"],
        ["anew", "True"],
        ["opencl", "True"],
    ]
    assert all("fork" in line for line in lines[:3])
    assert lines[3:] == ["0.1", "the parent goes on"]


@pytest.mark.parametrize(
    ("config", "wished", "shown"),
    [({"IPKernelApp": {}}, None, True), ({"IPKernelApp": {}}, False, False), ({}, None, None)],
)
def test_a_notebook_gets_a_bar_of_its_own(monkeypatch, config, wished, shown):
    class Shell:
        def get_ipython(self):
            return type("", (), {"config": config})()

    monkeypatch.setitem(sys.modules, "IPython", Shell())
    how = telling.bars(wished)
    assert how["bar"] is shown
    made = how["make_bar"](total=3, disable=True)
    made.update(3)
    made.close()
