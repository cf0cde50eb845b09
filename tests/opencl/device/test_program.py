"""Programs are kept for the next stepper, and not more of them than that takes."""

from __future__ import annotations

import gc
import weakref

from wavelab.opencl.device.contexts import context_of
from wavelab.opencl.device.program import _PROGRAMS, build

KERNEL = "__kernel void kept_{}(__global int *x) {{ x[0] = {}; }}"


def test_the_newest_programs_are_kept_and_the_others_go(device):
    context = context_of(device)
    build.cache_clear()
    sources = [KERNEL.format(number, number) for number in range(_PROGRAMS + 8)]
    made = [weakref.ref(build(context, source, device)) for source in sources]
    gc.collect()
    kept = [number for number, program in enumerate(made) if program() is not None]
    assert kept == list(range(8, len(sources)))
    assert build(context, sources[-1], device) is made[-1]()
