"""Whether a device runs a small kernel."""

from __future__ import annotations

import threading

import numpy as np
import pyopencl as cl

from wavelab.opencl.device.contexts import in_use
from wavelab.opencl.device.pocl_linker import link_trouble

#: A device that has not run one small kernel after this many seconds is taken to hang.
PROBE_SECONDS = 20.0
_PROBE_SOURCE = """
kernel void probe(global int *numbers) {
    const int i = get_global_id(0);
    numbers[i] = 3 * numbers[i] + 1;
}
"""


def run_probe(device: cl.Device) -> str:
    """Why a small kernel fails on the device; empty if it works."""
    if trouble := link_trouble(device):
        return trouble
    outcome: list[str] = []

    def attempt() -> None:
        try:
            context = cl.Context([device])
            queue = cl.CommandQueue(context)
            numbers = np.arange(64, dtype=np.int32)
            buffer = cl.Buffer(
                context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=numbers
            )
            program = cl.Program(context, _PROBE_SOURCE).build()
            cl.Kernel(program, "probe")(queue, numbers.shape, None, buffer)
            result = np.empty_like(numbers)
            cl.enqueue_copy(queue, result, buffer)
            wrong = not np.array_equal(result, 3 * numbers + 1)
            outcome.append("a test kernel gave wrong numbers" if wrong else "")
        except Exception as error:  # drivers fail in every way there is
            outcome.append(f"a test kernel failed: {first_line(error)}")

    # A thread, because a driver that hangs cannot be interrupted; it is left behind.
    thread = threading.Thread(target=attempt, name="opencl-probe", daemon=True)
    thread.start()
    thread.join(PROBE_SECONDS)
    return outcome[0] if outcome else f"a test kernel did not finish in {PROBE_SECONDS:g} s"


def probe_once(device: cl.Device) -> str:
    """The same, but for a device that is at work already."""
    return "" if in_use(device) else run_probe(device)


def first_line(error: Exception) -> str:
    return next(iter(str(error).strip().splitlines()), "") or type(error).__name__
