"""Kernels as functions of another kernel: several sources in one, and local memory from outside."""

from __future__ import annotations

import numpy as np
import pyopencl as cl
import pytest

from wavelab.opencl.device.contexts import context_of
from wavelab.opencl.device.device import choose_device
from wavelab.opencl.persistent.bodies import bodies_of

#: Two sources that give one name to different things.
SOURCE = """
#define SCALE {scale}
#define SHARED local
#define MY_KERNEL kernel __attribute__((reqd_work_group_size(4, 1, 1)))
typedef {number} real;  // the same word for another type
constant int table[2] = {{{first}, 5}};
real twice(const real x) {{ return SCALE * x; }}
MY_KERNEL
void act(global real *out, const int shift)
{{
    SHARED real here[2 * 4], there[4];
    local real *behind = here + 4;
    const int i = get_local_id(0);
    behind[i] = twice(table[0] + get_group_id(0));
    barrier(CLK_LOCAL_MEM_FENCE);
    there[i] = behind[(i + shift) % 4] + i;
    out[4 * get_group_id(0) + i] = there[i];
}}
kernel void never_called(global real *out) {{ out[get_global_id(0)] = 1; }}
"""
#: What the kernel that calls them has before them.
MEETING = "typedef int meeting_t_;\n"
CALLER = """
kernel __attribute__((reqd_work_group_size(4, 1, 1)))
void both(global float *floats, global int *ints)
{
    local double arena[16];
    for (int unit = 0; unit < 3; ++unit) {
        a_act(unit, get_local_id(0), 12, (local char *)arena, 0, floats, 1);
        barrier(CLK_LOCAL_MEM_FENCE);
        b_act(unit, get_local_id(0), 12, (local char *)arena, 0, ints, 2);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
"""


@pytest.fixture(scope="module")
def sources() -> list[str]:
    return [
        SOURCE.format(scale=2.5, number="float", first=3),
        SOURCE.format(scale=3, number="int", first=7),
    ]


def test_two_sources_with_the_same_names_do_what_each_did(sources):
    context = context_of(choose_device())
    found = [
        bodies_of(s, p, frozenset(["act"])) for s, p in zip(sources, ("a_", "b_"), strict=True)
    ]
    program = cl.Program(context, MEETING + "".join(f.text for f in found) + CALLER).build()
    queue = cl.CommandQueue(context)
    buffers = [cl.Buffer(context, cl.mem_flags.READ_WRITE, 48) for _ in "ab"]
    cl.Kernel(program, "both")(queue, (4,), (4,), *buffers)
    unit, item = np.divmod(np.arange(12), 4)
    for buffer, dtype, expected in zip(
        buffers,
        (np.float32, np.int32),
        (2.5 * (3 + unit) + item, 3 * (7 + unit) + item),
        strict=True,
    ):
        values = np.empty(12, dtype)
        cl.enqueue_copy(queue, values, buffer)
        assert np.array_equal(values, expected.astype(dtype))


def test_what_is_known_of_a_kernel(sources):
    found = bodies_of(sources[0], "a_", frozenset(["act"]))
    assert found.parameters == {"act": ("out", "shift")}
    assert found.meeting == {"act"}
    assert found.name("act") == "a_act"
    assert "never_called(" not in found.text


def test_who_waits_for_what_others_published():
    source = """
    #define OTHERS_PUBLISHED
    kernel void asks(global const float *restrict traces) { }
    kernel void waits(global const float *restrict traces) { OTHERS_PUBLISHED; }
    kernel void writes(global float *traces) { }
    """
    found = bodies_of(source, "", frozenset(["asks", "waits", "writes"]))
    assert found.reading == {"asks"}
    assert "#define OTHERS_PUBLISHED others_published_(meeting_)" in found.text
