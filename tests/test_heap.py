"""Memory that is freed goes back to the system, small things kept in between or not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

#: Growth of resident memory in MiB by arrays that are gone again, each with a small one that stays.
CHILD = """
import os, sys
import numpy as np
from wavelab.heap import give_back, give_back_early

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20

if sys.argv[1] != "as it is":
    give_back_early()
np.ones(2**21)  # 16 MiB that are gone at once; glibc then takes what is smaller from its heap
before = resident()
large, small = [], []
for _ in range(20 if sys.argv[1] != "in between" else 1000):
    large.append(np.ones(2**20 if sys.argv[1] != "in between" else 2**13))
    small.append(np.ones(2**10))
del large
if sys.argv[1] == "in between":
    print(resident() - before)
    give_back()
print(resident() - before)
"""


pytestmark = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs Linux")


def growth(how: str) -> list[float]:
    run = [sys.executable, "-c", CHILD, how]
    done = subprocess.run(run, check=True, capture_output=True, timeout=120, text=True)
    return [float(line) for line in done.stdout.split()]


def test_memory_of_freed_arrays_goes_back():
    assert growth("early")[0] < 16 < 80 < growth("as it is")[0]


def test_so_do_free_pages_between_others():
    """Of small arrays, of which the C library gives back only those at the end of a heap."""
    left, after = growth("in between")
    assert after < 16 < 48 < left
