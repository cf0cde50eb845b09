"""Builds a kernel that no cache knows yet on the first CPU of PoCL, which aborts the process if it
fails: ``python -m wavelab.opencl.device.pocl_trial``."""

from __future__ import annotations

import time

import pyopencl as cl

from wavelab.opencl.device.pocl_linker import POCL
from wavelab.opencl.device.pocl_processor import name_processor


def main() -> None:
    (platform,) = [p for p in cl.get_platforms() if p.name == POCL]
    device = platform.get_devices()[0]
    name_processor(device)
    context = cl.Context([device])
    buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE, 64)
    number = time.time_ns() % 2**31
    source = f"kernel void trial(global int *x) {{ x[get_global_id(0)] = {number}; }}"
    queue = cl.CommandQueue(context)
    cl.Program(context, source).build().trial(queue, (16,), None, buffer)
    queue.finish()


if __name__ == "__main__":
    main()
