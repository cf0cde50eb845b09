"""Kernels on a timeline."""

import json

import numpy as np
import pyopencl as cl
import pytest

from tests.opencl.conftest import mixed_operator, random_fields
from wavelab.numerics.time.runge_kutta import SCHEMES
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.physics.sources.source_terms import NodalSourceTerm
from wavelab.timeline import NO_TIMELINE, Timeline

SCHEME = SCHEMES["rkf84"]


def recorded(path, device, steps):
    """Kernels and host spans of a run, as (name, begin, end) in microseconds."""
    timeline = Timeline()
    operator = mixed_operator(4, 1.0, n=20)
    stepper = OpenCLStepper(operator, dt=1e-4, device=device, timeline=timeline, scheme=SCHEME)
    stepper.set_fields(random_fields(operator))
    nodes = np.arange(5)
    stepper.set_source_terms([NodalSourceTerm(nodes, np.ones(5), np.sin)])
    stepper.synchronize()
    with timeline.span("steps"):
        stepper.advance(steps)
        stepper.synchronize()
    with timeline.span("look"):
        stepper.view("ez")
    stepper.close()
    timeline.write(path)
    written = json.loads(path.read_text())
    spans = [e for e in written["traceEvents"] if e["ph"] == "X"]
    (host,) = {e["pid"] for e in spans if e["name"] == "steps"}
    rows = [[(e["name"], e["ts"], e["ts"] + e["dur"]) for e in spans if (e["pid"] == host) is side]
            for side in (False, True)]  # fmt: skip
    return *rows, written["otherData"]


def test_every_kernel_of_every_step_is_there(tmp_path, device):
    steps = 70  # more than one batch
    kernels, _, _ = recorded(tmp_path / "t.json", device, steps)
    names = [name for name, _, _ in kernels]
    n_stages = SCHEME.n_stages
    for stage in range(1, n_stages + 1):
        assert names.count(f"stage {stage}") == steps
    assert names.count("drive_nodes") == n_stages * steps
    assert names.count("view_ez") == 1
    assert names.count("read back") == 1
    first_step = [name for name in names if name != "publish"][: 2 * n_stages]
    assert first_step == [
        name for stage in range(1, n_stages + 1) for name in (f"stage {stage}", "drive_nodes")
    ]


def test_kernels_do_not_overlap_and_lie_where_the_host_waited(tmp_path, device):
    kernels, host, notes = recorded(tmp_path / "t.json", device, 200)
    kernels.sort(key=lambda kernel: kernel[1])
    ends = np.array([end for _, _, end in kernels])
    begins = np.array([begin for _, begin, _ in kernels])
    assert np.all(begins[1:] >= ends[:-1] - 1e-3)  # what rounding to decimals leaves
    ((_, began, ended),) = [span for span in host if span[0] == "steps"]
    stages = [kernel for kernel in kernels if kernel[0].startswith("stage")]
    uncertainty = notes["device clock uncertainty, us"] + 1
    assert min(begin for _, begin, _ in stages) >= began - uncertainty
    assert max(end for _, _, end in stages) <= ended + uncertainty
    busy = sum(end - begin for _, begin, end in stages)
    assert 0.02 * (ended - began) < busy <= ended - began + uncertainty


@pytest.mark.parametrize("timeline", [NO_TIMELINE, Timeline()])
def test_queues_stamp_commands_only_for_a_timeline(device, timeline):
    stepper = OpenCLStepper(mixed_operator(1, 1.0), dt=1e-3, device=device, timeline=timeline)
    profiling = bool(stepper.memory.queue.properties & cl.command_queue_properties.PROFILING_ENABLE)
    assert profiling is timeline.recording
    assert (stepper.memory.profile is not None) is timeline.recording
    stepper.close()
