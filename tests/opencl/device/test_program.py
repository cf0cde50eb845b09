"""Programs are kept for the next stepper, and not more of them than that takes."""

from __future__ import annotations

import gc
import weakref

from wavelab.opencl.device.contexts import context_of
from wavelab.opencl.device.program import _PROGRAMS, build, forget_programs

KERNEL = "__kernel void kept_{}(__global int *x) {{ x[0] = {}; }}"


def test_the_newest_programs_are_kept_and_the_others_go(device):
    context = context_of(device)
    forget_programs()
    sources = [KERNEL.format(number, number) for number in range(_PROGRAMS + 8)]
    made = [weakref.ref(build(context, source, device)) for source in sources]
    gc.collect()
    kept = [number for number, program in enumerate(made) if program() is not None]
    assert kept == list(range(8, len(sources)))
    assert build(context, sources[-1], device) is made[-1]()


def test_a_program_in_use_is_not_made_again_however_many_came_since(device):
    context = context_of(device)
    forget_programs()
    sources = [KERNEL.format(f"used_{number}", number) for number in range(_PROGRAMS + 2)]
    used = build(context, sources[0], device)
    for source in sources[1:]:
        build(context, source, device)
    assert build(context, sources[0], device) is used
    known = weakref.ref(used)
    for source in sources[1:]:
        build(context, source, device)
    del used
    gc.collect()
    assert known() is None


def test_nothing_that_a_device_made_before_it_failed_serves_for_it_again(device):
    context = context_of(device)
    source = KERNEL.format("failed", 1)
    before = build(context, source, device)
    forget_programs()
    assert build(context, source, device) is not before
