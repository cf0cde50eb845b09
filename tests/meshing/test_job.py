"""Mesh jobs: real child processes, as few as will do."""

import contextlib
import locale
import os
import signal
import subprocess
import sys
import textwrap
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from wavelab import child
from wavelab.child import start_ahead
from wavelab.cli import meshes
from wavelab.errors import GeometryError, MeshError, SceneError
from wavelab.meshing.geometry_files import load_geometry
from wavelab.meshing.graph.notices import MeshWarning
from wavelab.meshing.job import MeshJob, mesh_scene
from wavelab.meshing.meshing_child import WORKER, KeptChild
from wavelab.meshing.triangulation.limits import MeshLimits
from wavelab.physics.walls.walls import reflection_coefficients
from wavelab.scene.model.scene import (
    Material,
    MaterialRegion,
    Rectangle,
    Scene,
    Solver,
)
from wavelab.scene.model.shapes import Polygon
from wavelab.scene.walls import AbsorbingWall, Conductor

GMSH = Path(__file__).parent / "gmsh"
SCENE = Scene("test", Solver(0.2))
#: Takes long enough to be caught in the act.
LONG = MeshLimits(max_elements=10**9)


def test_a_job_runs_from_start_to_mesh_and_leaves_no_child():
    job = MeshJob(SCENE)
    mesh = job.run_unless(lambda: False)
    assert mesh.signed_areas().sum() == pytest.approx(1)
    assert job.wait() is mesh
    assert job.process.returncode is not None
    job.cancel()
    assert job.wait() is mesh


def test_notices_reach_the_parent():
    glass = MaterialRegion("glass", Material(2.0), Rectangle((2, 2), (3, 3)))
    outside = replace(SCENE, materials=(glass,))
    job = MeshJob(outside).start()
    job.wait()
    assert job.notices == ("material glass covers no part of the domain",)
    with pytest.warns(MeshWarning, match="glass covers no part"):
        mesh_scene(outside)


def test_the_users_errors_come_back_as_they_are():
    bow_tie = replace(SCENE, outline=Polygon(((0, 0), (1, 1), (1, 0), (0, 1))))
    with pytest.raises(GeometryError, match=r"the domain crosses itself at \(0\.5, 0\.5\)"):
        mesh_scene(bow_tie)
    with pytest.raises(GeometryError, match="element size"):
        MeshJob(SCENE, float("nan"))


def test_cancelling_kills_the_child_and_waiting_says_so():
    job = MeshJob(SCENE, 0.0005, LONG).start()
    while job.process is None:
        time.sleep(0.01)
    assert job.process.poll() is None
    job.cancel()
    assert job.process.returncode == -signal.SIGKILL
    with pytest.raises(MeshError, match="cancelled"):
        job.wait()


def test_time_and_memory_are_limited():
    with pytest.raises(MeshError, match=r"longer than 0\.3 s"):
        mesh_scene(SCENE, 0.0005, replace(LONG, seconds=0.3))
    with pytest.raises((GeometryError, MeshError), match=r"more than 0\.4 GiB"):
        mesh_scene(SCENE, 0.0003, replace(LONG, memory_bytes=400 << 20))


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs timers of processes")
def test_time_in_which_others_compute_does_not_count():
    job = MeshJob(SCENE, 0.5, replace(LONG, seconds=2)).start()
    while job.process is None:
        time.sleep(0.01)
    job.process.send_signal(signal.SIGSTOP)
    time.sleep(2.2)
    job.process.send_signal(signal.SIGCONT)
    assert job.wait().signed_areas().sum() == pytest.approx(1)


def test_a_child_that_dies_is_an_answer():
    job = MeshJob(SCENE, 0.0005, LONG).start()
    while job.process is None:
        time.sleep(0.01)
    job.process.send_signal(signal.SIGSEGV)
    with pytest.raises(MeshError, match="crashed \\(SIGSEGV\\)"):
        job.wait()


def test_a_task_that_cannot_be_sent_leaves_no_child():
    job = MeshJob(SCENE, 0.3, LONG, further=lambda mesh: mesh).start()  # which no pickle holds
    with pytest.raises(MeshError, match="could not be used"):
        job.wait()
    assert job.process.poll() is not None
    assert job.process.stdin.closed


def test_a_kept_child_meshes_again_and_is_replaced_when_it_is_gone():
    kept = KeptChild()
    jobs = [MeshJob(SCENE, size, kept=kept) for size in (0.5, 0.4)]
    first, second = (job.start().wait() for job in jobs)
    np.testing.assert_array_equal(second.vertices, mesh_scene(SCENE, 0.4).vertices)
    assert first.n_elements < second.n_elements
    assert jobs[0].process is jobs[1].process
    jobs[1].cancel()  # it is done: nothing is killed
    assert jobs[0].process.poll() is None
    # The user's error is an answer as well.
    bow_tie = replace(SCENE, outline=Polygon(((0, 0), (1, 1), (1, 0), (0, 1))))
    with pytest.raises(GeometryError, match="crosses itself"):
        MeshJob(bow_tie, kept=kept).start().wait()
    # One that is ended in the midst of a mesh, by time, by hand or by itself, is not kept.
    with pytest.raises(MeshError, match=r"longer than 0\.3 s"):
        MeshJob(SCENE, 0.0005, replace(LONG, seconds=0.3), kept=kept).start().wait()
    assert jobs[0].process.returncode == -signal.SIGPROF
    third = MeshJob(SCENE, 0.5, kept=kept)
    assert third.run_unless(lambda: False).n_elements == first.n_elements
    assert third.process is not jobs[0].process
    # One that died while it waited is not the geometry's fault.
    third.process.kill()
    fourth = MeshJob(SCENE, 0.5, kept=kept)
    assert fourth.start().wait().n_elements == first.n_elements
    kept.close()
    assert fourth.process.returncode is not None


@pytest.mark.skipif(not hasattr(signal, "SIGIO"), reason="needs SIGIO")
def test_the_child_dies_with_its_parent():
    script = """
        import os, sys, time
        from wavelab.meshing.job import MeshJob
        from wavelab.meshing.meshing_child import WORKER, KeptChild
        from wavelab.meshing.triangulation.limits import MeshLimits
        from wavelab.scene.model.scene import Scene, Solver
        kept = KeptChild()
        MeshJob(Scene("", Solver(0.5)), kept=kept).start().wait()
        job = MeshJob(Scene("", Solver(0.0003)), limits=MeshLimits(10**9), kept=kept).start()
        while job.process is None:
            time.sleep(0.01)
        print(job.process.pid, flush=True)
        time.sleep(1)
        os._exit(1)
    """
    parent = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True
    )
    child = int(parent.stdout)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and is_running(child):
        time.sleep(0.02)
    assert not is_running(child)


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_a_german_locale_keeps_decimal_points(monkeypatch):
    before = locale.setlocale(locale.LC_ALL)
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    # Where that locale is not installed, the child still gets it by its environment.
    with contextlib.suppress(locale.Error):
        locale.setlocale(locale.LC_NUMERIC, "de_DE.UTF-8")
    try:
        assert mesh_scene(SCENE, 0.5).signed_areas().sum() == pytest.approx(1)
    finally:
        locale.setlocale(locale.LC_ALL, before)


def test_mesh_files_are_read_and_names_are_checked(tmp_path):
    glass = MaterialRegion("glass", Material(2.0))
    scene = replace(
        SCENE,
        outline=None,
        mesh_file=GMSH / "named_4.1_text.msh",
        materials=(glass,),
        walls=(AbsorbingWall(("left wall",)), Conductor(("domain",))),
    )
    with pytest.warns(MeshWarning, match="interface"):
        assert mesh_scene(scene).region_names == ("air", "glass")
    text = scene.mesh_file.read_text()
    assert '2 22 "glass"' in text
    (tmp_path / "a.msh").write_text(text.replace('2 22 "glass"', '2 23 "glass"'))
    job = MeshJob(replace(scene, mesh_file=tmp_path / "a.msh"))
    job.start().wait()
    assert job.notices[-1] == 'a.msh: no element is in "glass": its material is nowhere'
    wrong = replace(scene, materials=(replace(glass, name="gloss"),))
    with pytest.raises(SceneError, match=r'no region "gloss"\n  Did you mean "glass"\?'):
        mesh_scene(wrong)
    # What belongs together, "a.left" and "a.right", has the name before the dot as well.
    text = text.replace('"left wall"', '"a.left"').replace('"right wall"', '"a.right"')
    (tmp_path / "a.msh").write_text(text)
    parts = replace(scene, mesh_file=tmp_path / "a.msh", walls=(AbsorbingWall(("a",)),))
    mesh = MeshJob(parts).start().wait()
    assert (reflection_coefficients(parts, mesh, np.ones(mesh.n_elements)) == 0).sum() == 6
    wrong = replace(scene, walls=(Conductor(("roof",)),))
    with pytest.raises(SceneError, match=r'no edge "roof"\n  It has: left wall, right wall'):
        mesh_scene(wrong)
    with pytest.raises(MeshError, match="cannot be read"):
        mesh_scene(replace(scene, mesh_file=GMSH / "missing.msh"))


def test_the_worker_starts_without_qt_opencl_and_formulas():
    code = (
        "import sys, wavelab.meshing.worker, wavelab.meshing.triangulation.mesher;"
        "print(sorted({name.split('.')[0] for name in sys.modules}"
        " & {'PyQt5', 'vispy', 'pyopencl', 'pymbolic', 'scipy', 'meshio'}))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_geometry_files(tmp_path):
    (tmp_path / "a.poly").write_text("3 2 0 0\n1 0 0\n2 1 0\n3 0 1\n3 0\n1 1 2\n2 2 3\n3 3 1\n0\n")
    drawing = load_geometry(tmp_path / "a.poly")
    assert mesh_scene(drawing, 0.3).signed_areas().sum() == pytest.approx(0.5)
    (tmp_path / "a.toml").write_text(
        'title = "t"\n[domain]\nshape = "rectangle"\nlower = [0, 0]\nupper = [2, 1]\n'
        "[solver]\nelement_size = 0.5\n"
    )
    assert load_geometry(str(tmp_path / "a.toml")).solver.element_size == 0.5
    with pytest.raises(GeometryError, match="ending says what is in the file"):
        load_geometry(tmp_path / "a.stl")
    assert os.listdir(tmp_path)


def test_a_child_that_was_started_ahead_makes_the_first_mesh():
    start_ahead(WORKER)
    ahead = child._ahead[WORKER][0].pid
    first, second = MeshJob(SCENE), MeshJob(SCENE)
    for job in (first, second):
        assert job.start().wait().n_elements
    assert first.process.pid == ahead
    assert second.process.pid != ahead


def test_one_that_has_died_before_is_no_harm():
    start_ahead(WORKER)
    early = child._ahead[WORKER][0]
    early.kill()
    early.wait()
    job = MeshJob(SCENE)
    assert job.start().wait().n_elements
    assert job.process.pid != early.pid


def test_one_that_nobody_asks_for_ends_with_the_program():
    code = f"from wavelab import child; child.start_ahead({WORKER!r}); "
    code += f"print(child._ahead[{WORKER!r}][0].pid)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    end = time.monotonic() + 60
    while is_running(int(done.stdout)):
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("", True), ("welcome", True), ("run welcome", True), ("mesh welcome -o a.msh", True),
        ("run --help", False), ("--version", False), ("run --resume a.state", False),
        ("devices", False), ("run big --parts there", False),
    ],
)  # fmt: skip
def test_it_is_started_where_a_mesh_comes_first(words, expected):
    assert meshes(words.split()) == expected
