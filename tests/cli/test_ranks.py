"""``mpiexec -n 2 wavelab run``: what one process would do and say, and an end that is whole."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.products import only_in_hunt
from wavelab.benchmark.meshes import square_mesh
from wavelab.meshing.formats import write_mesh
from wavelab.numerics.mesh.partitioning import has_metis
from wavelab.simulation.headless.checkpoints.checkpoint import read_checkpoint
from wavelab.simulation.steppers.dealing_out import names_several

ROOT = Path(__file__).resolve().parents[2]
#: Something of everything: curved and straight elements, open and absorbing walls, a medium with
#: memory, a graded one, sources of two kinds, a ping, monitors at points and all over.
SCENE = """\
title = "On ranks"

[domain]
shape = "rectangle"
lower = [0, 0]
upper = [2, 1]

[[holes]]
shape = "ellipse"
center = [0.7, 0.5]
radii = [0.15, 0.15]

[[materials]]
name = "metal"
shape = "rectangle"
lower = [1.1, 0.2]
upper = [1.3, 0.8]
poles = [{kind = "drude", frequency = 1.5, damping = 0.2}]

[[materials]]
name = "graded"
shape = "rectangle"
lower = [1.5, 0.2]
upper = [1.7, 0.8]
epsilon = "1.5 + 0.5*y"

[[walls]]
edges = ["domain.right"]
kind = "open"

[[walls]]
edges = ["domain.left"]
kind = "absorbing"

[[sources]]
kind = "point"
position = [0.3, 0.5]
radius = 0.05
amplitude = 1
waveform = {kind = "sine", frequency = 2}

[[sources]]
kind = "moving"
x = "0.3 + 0.2*t"
y = "0.2"
radius = 0.06
amplitude = 1
waveform = {kind = "sine", frequency = 1.5}

[[pings]]
time = 0.1
position = [1.0, 0.9]
radius = 0.1
amplitude = 0.5

[[probes]]
name = "before"
position = [0.5, 0.5]

[[probes]]
name = "behind"
position = [1.4, 0.5]

[[monitors]]
name = "through"
kind = "flux"
vertices = [[1.0, 0.1], [1.0, 0.9]]
frequencies = [2]

[[monitors]]
name = "all"
kind = "intensity"

[solver]
element_size = 0.12
order = 2
precision = "double"
until = 0.3
"""

#: Steps of their own for the elements around a pin, where all that is of it does not go together
#: with a medium that is a formula.
LOCAL = (
    SCENE.replace('"1.5 + 0.5*y"', "1.8").replace("until = 0.3", 'until = 0.15\nstepper = "local"')
    + """
[[holes]]
shape = "ellipse"
center = [0.45, 0.5]
radii = [0.015, 0.015]
"""
)

#: On a mesh file: a source, a layer, and what probes and a monitor see.
PARTED = """
[domain]
mesh = "m.msh"

[[sources]]
kind = "point"
position = [0.49, 0.5]
radius = 0.01
amplitude = 1
waveform = {kind = "sine", frequency = 10}

[[probes]]
name = "p"
position = [0.52, 0.5]

[[monitors]]
name = "line"
kind = "line"
vertices = [[0.4, 0.5], [0.6, 0.5]]
count = 5

[solver]
order = 1
precision = "double"
until = 0.02
"""


@pytest.fixture(scope="module")
def mpiexec() -> str:
    """That of the environment of this Python, or of the system."""
    pytest.importorskip("mpi4py", reason="mpi4py is not installed (the extra mpi)")
    beside = Path(sys.executable).with_name("mpiexec")
    found = str(beside) if beside.exists() else shutil.which("mpiexec")
    if found is None:
        pytest.skip("there is no mpiexec (the extra mpi brings one)")
    return found


@pytest.fixture(scope="module")
def scene(request, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("scene") / "ranks.toml"
    path.write_text(getattr(request, "param", SCENE))
    return path


#: Two ranks on a machine of any number of cores.
WAVELAB = (sys.executable, "-m", "wavelab")


def started(*words: object, **how: object) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    texts = [str(word) for word in words]
    return subprocess.run(
        texts, env=environment, capture_output=True, text=True, **({"cwd": ROOT} | how)
    )


def outputs(folder: Path) -> list[object]:
    folder.mkdir()
    names = ("--image p.png", "--probes p.csv", "--monitors m.h5", "--snapshot s.h5")
    words: list[object] = ["--ledger", "--json", "--size", "200x100"]
    for option, name in (text.split() for text in names):
        words += [option, folder / name]
    return words


@pytest.mark.parametrize(
    ("scene", "backend"),
    [(SCENE, "opencl"), (LOCAL, "numpy"), *only_in_hunt((SCENE, "numpy"), (LOCAL, "opencl"))],
    indirect=["scene"],
    ids=lambda text: {SCENE: "global", LOCAL: "local"}.get(text, text),
)
def test_two_processes_write_what_one_writes(mpiexec, scene, backend, tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    run = (*WAVELAB, "run", scene, "--backend", backend)
    alone = started(*run, *outputs(one))
    both = started(mpiexec, "-n", 2, *run, *outputs(two))
    assert (alone.returncode, both.returncode) == (0, 0), alone.stderr + both.stderr
    expected, found = json.loads(alone.stdout), json.loads(both.stdout)
    assert found.pop("device") == f"{expected.pop('device')} on 2 ranks"
    _compare(found, expected)
    for file in ("p.csv", "m.h5", "s.h5", "p.png"):
        assert (two / file).stat().st_size > 0
    assert (two / "p.png").read_bytes() == (one / "p.png").read_bytes()


def _compare(found: object, expected: object, key: str = "") -> None:
    """Equal, and numbers nearly so, but for those of the clock on the wall."""
    if isinstance(expected, dict):
        assert found.keys() == expected.keys()
        for name, value in expected.items():
            if name not in ("wall_s", "files"):
                _compare(found[name], value, name)
    elif isinstance(expected, list):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            _compare(one, other, key)
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-12), key
    else:
        assert found == expected, key


@pytest.mark.parametrize("stepper", ["auto", "local"])
def test_processes_that_read_their_own_parts_write_what_one_writes(mpiexec, tmp_path, stepper):
    """Of a mesh that is large enough for the first one not to look at all of it, but for local
    steps."""
    write_mesh(square_mesh(9000), tmp_path / "m.msh")
    (tmp_path / "s.toml").write_text(f'{PARTED}stepper = "{stepper}"\n')
    run = (*WAVELAB, "run", "s.toml", "--json", "--backend", "numpy")
    part = started(*WAVELAB, "partition", "m.msh", "-n", 2, "-o", "m.parts", cwd=tmp_path)
    assert part.returncode == 0, part.stderr
    alone = started(*run, cwd=tmp_path)
    both = started(mpiexec, "-n", 2, *run, "--parts", "m.parts", cwd=tmp_path)
    assert (alone.returncode, both.returncode) == (0, 0), alone.stderr + both.stderr
    whole = "the first rank holds the whole mesh, for local time stepping"
    assert (whole in both.stderr) == (stepper == "local")
    expected, found = json.loads(alone.stdout), json.loads(both.stdout)
    assert found.pop("device") == f"{expected.pop('device')} on 2 ranks"
    _compare(found, expected)
    if stepper == "local":
        return
    three = started(mpiexec, "-n", 3, *run, "--parts", "m.parts", cwd=tmp_path)
    assert three.returncode != 0
    assert "holds a mesh in 2 parts, and there are 3 ranks" in three.stderr


def test_a_run_of_parts_that_is_killed_comes_to_the_same_end(mpiexec, tmp_path):
    """On as many ranks to the last bit, and on other numbers of them as nearly as numbers go; the
    parts are not needed any more."""
    write_mesh(square_mesh(9000), tmp_path / "m.msh")
    (tmp_path / "s.toml").write_text(PARTED)
    part = started(*WAVELAB, "partition", "m.msh", "-n", 2, "-o", "m.parts", cwd=tmp_path)
    assert part.returncode == 0, part.stderr
    run = ("run", tmp_path / "s.toml", "--json", "--backend", "numpy", "--parts")
    run += (tmp_path / "m.parts", "--snapshot", tmp_path / "wave.h5")
    whole = started(mpiexec, "-n", 2, *WAVELAB, *run)
    assert whole.returncode == 0, whole.stderr
    expected, fields = json.loads(whole.stdout), (tmp_path / "wave.h5").read_bytes()

    file, log = tmp_path / "run.h5", tmp_path / "log"
    process, ranks = _started(mpiexec, log, *run, "--checkpoint", file, "--every", "1e-3")
    while not file.exists():
        assert process.poll() is None, log.read_text()
        time.sleep(0.01)
    os.kill(ranks()[1], signal.SIGKILL)
    process.wait(60)
    assert "whole mesh, for" in log.read_text()
    kept = file.read_bytes()
    for folder in (tmp_path / "m.parts", tmp_path / "m.msh", tmp_path / "wave.h5"):
        shutil.move(folder, folder.with_suffix(".away"))
    again = ("run", "--resume", file, "--json", "--every", 1e9)
    refused = started(mpiexec, "-n", 2, *WAVELAB, *again, "--parts", tmp_path / "m.parts")
    assert refused.returncode != 0
    assert "a checkpoint has its mesh, and needs no parts of it" in refused.stderr
    for n_ranks in (2, 1, *only_in_hunt(3)):
        file.write_bytes(kept)
        done = started(mpiexec, "-n", n_ranks, *WAVELAB, *again)
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
        found["device"] = expected["device"]
        _compare(found, expected)
        assert ("goes on to rounding" in done.stderr) == (n_ranks != 2)
        if n_ranks == 2:
            assert (tmp_path / "wave.h5").read_bytes() == fields


def begun(
    mpiexec: str, scene: Path, log: Path, *words: object
) -> tuple[subprocess.Popen[bytes], list[int]]:
    """A long run on two ranks that has taken steps, and its processes by rank."""
    words = (mpiexec, "-n", 2, *WAVELAB, "run", scene, "--until", "1e6", "--long", *words)
    with log.open("w") as out:
        process = subprocess.Popen(
            [*map(str, words), "--backend", "numpy"],
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    while "left" not in log.read_text():
        assert process.poll() is None, log.read_text()
        time.sleep(0.05)
    return process, [int(n) for n in re.findall(r"is process (\d+)", log.read_text())]


@pytest.mark.parametrize(
    ("which", "number"),
    [
        (0, signal.SIGKILL),
        (1, signal.SIGSEGV),
        *only_in_hunt((0, signal.SIGSEGV), (1, signal.SIGKILL)),
    ],
)
def test_a_rank_that_is_killed_ends_the_run_and_is_told(mpiexec, scene, tmp_path, which, number):
    process, ranks = begun(mpiexec, scene, tmp_path / "log")
    os.kill(ranks[which], number)
    assert process.wait(60) != 0
    told = (tmp_path / "log").read_text()
    assert f"{which} is process {ranks[which]}" in told
    assert f"error: rank {which}, process {ranks[which]} on " in told
    assert f"was ended by {number.name}" in told
    assert told.count("was ended by") == 1
    for _ in range(100):  # those that nobody waits for
        if not any(map(_alive, ranks)):
            break
        time.sleep(0.05)
    assert not any(map(_alive, ranks))


def _alive(process: int) -> bool:
    """Whether it runs; one that has ended may be left as a zombie."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_a_run_whose_ranks_are_killed_comes_to_the_same_end(mpiexec, scene, tmp_path):
    """Again and again, each time another rank; at last on another number of them, by threads."""
    alone = started(*WAVELAB, "run", scene, *outputs(tmp_path / "one"), "--backend", "numpy")
    assert alone.returncode == 0, alone.stderr
    file, log = tmp_path / "run.h5", tmp_path / "log"
    words: list[object] = ["run", scene, *outputs(tmp_path / "two"), "--backend", "numpy"]
    words += ["--checkpoint", file]
    for which in (0, 1):
        before = file.read_bytes() if file.exists() else b""
        process, ranks = _started(mpiexec, log, *words, "--every", "1e-3")
        while (file.read_bytes() if file.exists() else b"") == before:
            assert process.poll() is None, log.read_text()
            time.sleep(0.01)  # or who looks takes a core from those who compute
        os.kill(ranks()[which], signal.SIGKILL)
        process.wait(60)
        told = log.read_text()
        assert f"rank {which}, process {ranks()[which]} on " in told, told
        read_checkpoint(file)
        words = ["run", "--resume", file, "--json"]
    kept = file.read_bytes()
    both = started(mpiexec, "-n", 2, *WAVELAB, *words, "--every", 1e9)
    assert both.returncode == 0, both.stderr
    assert not file.exists()
    expected, found = json.loads(alone.stdout), json.loads(both.stdout)
    found["device"] = expected["device"]
    _compare(found, expected)
    assert (tmp_path / "two" / "p.png").read_bytes() == (tmp_path / "one" / "p.png").read_bytes()
    file.write_bytes(kept)
    one = started(*WAVELAB, *words, "--every", 1e9)
    assert "goes on to rounding" in one.stderr
    found = json.loads(one.stdout)
    found["device"] = expected["device"]
    _compare(found, expected)


def _started(
    mpiexec: str, log: Path, *words: object
) -> tuple[subprocess.Popen[bytes], Callable[[], list[int]]]:
    """Two ranks, and their processes once they have said them."""
    with log.open("w") as out:
        process = subprocess.Popen(
            [mpiexec, "-n", "2", *WAVELAB, *map(str, words)],
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    return process, lambda: [int(n) for n in re.findall(r"is process (\d+)", log.read_text())]


def test_a_signal_ends_all_processes_with_whole_files(mpiexec, scene, tmp_path):
    probes, log = tmp_path / "p.csv", tmp_path / "log"
    process, _ = begun(mpiexec, scene, log, "--probes", probes)
    process.send_signal(signal.SIGTERM)
    process.wait()
    told = log.read_text()
    assert "terminated at t = " in told
    steps = int(told.split(" in ")[1].split(" step")[0].replace(",", ""))
    assert len(probes.read_text().splitlines()) == steps + 1


FAILING = """\
import os, sys
from wavelab.errors import DeviceError
from wavelab.simulation.steppers.halo_numpy_stepper import HaloNumpyStepper
from wavelab.ranks.started import started_together
rates, calls = HaloNumpyStepper._rates, [0]
def lost(self, fields):
    calls[0] += 1
    if calls[0] > 30:
        raise DeviceError("the driver failed", where="card 7")
    return rates(self, fields)
if started_together()[1] == 1:
    HaloNumpyStepper._rates = lost
from wavelab.__main__ import start
sys.exit(start())
"""


def test_a_rank_that_fails_ends_the_run_with_its_name(mpiexec, scene):
    done = started(
        mpiexec, "-n", 2, sys.executable, "-c", FAILING, "run", scene, "--backend", "numpy",
        timeout=60,
    )  # fmt: skip
    assert done.returncode != 0
    assert "error: rank 1, card 7: the driver failed" in done.stderr


def test_what_runs_as_one_process_says_so_once(mpiexec, scene):
    done = started(mpiexec, "-n", 2, *WAVELAB, "mesh", scene, "-o", "never.msh")
    assert done.returncode != 0
    assert done.stderr.count("wavelab mesh runs as one process") == 1
    assert "wavelab run" in done.stderr
    assert not (ROOT / "never.msh").exists()


@pytest.mark.parametrize(
    ("device", "several"),
    [("0,1", True), ("0:0, 0:1,1:0", True), ("0", False), ("Tesla, Inc", False), (None, False)],
)
def test_a_list_of_devices_is_one_of_numbers(device, several):
    assert names_several(device) is several


@pytest.mark.parametrize("stepper", ["auto", "local"])
def test_devices_of_one_process_share_a_mesh(wavelab, small, stepper):
    """One device twice stands for two."""
    run = ("run", small, "--precision", "double", "--json", "--set", f"solver.stepper={stepper}")
    status, out, err = wavelab(*run, "--device", "0,0")
    assert status == 0, err
    shared = json.loads(out)
    alone = json.loads(wavelab(*run, "--device", "0")[1])
    assert shared.pop("device") == f"{alone.pop('device')} on 2 ranks"
    _compare(shared, alone)
    assert ("pymetis" in err) == (not has_metis())
