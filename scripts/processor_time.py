"""What tests cost, in processor time of their process and its children, whatever else runs.

    pytest -p scripts.processor_time --costs FOLDER [-n 2 --dist loadfile] [tests ...]
    python -m scripts.processor_time FOLDER [files|tests|fixtures] [--most N]

The first writes a file for each worker, which grows from test to test, so that a run that was ended
counts as far as it came.  A busy machine makes the same work cost some more: caches are shared.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import time
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

_TICK = 1.0 / os.sysconf("SC_CLK_TCK")


def used() -> float:
    """Seconds of this process and its children, of those that still live, too."""
    waited = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + waited.ru_utime + waited.ru_stime + _of_children("self")


def _of_children(process: str) -> float:
    total = 0.0
    try:
        for task in Path(f"/proc/{process}/task").iterdir():
            for child in (task / "children").read_text().split():
                stat = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
                total += _TICK * sum(map(int, stat[11:15])) + _of_children(child)
    except OSError:  # it ended meanwhile
        pass
    return total


class Costs:
    """Writes a line for each part of a test, and each fixture without those that it needs."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("w", buffering=1)
        self._inner = [0.0]

    @contextmanager
    def _counted(self, kind: str, **facts: str) -> Generator[None]:
        start = used()
        self._inner.append(0.0)
        try:
            yield
        finally:
            whole = used() - start
            own = whole - self._inner.pop()
            if kind == "fixture":
                self._inner[-1] += whole
            seconds = own if kind == "fixture" else whole
            self._file.write(json.dumps({"kind": kind, "seconds": seconds} | facts) + "\n")

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, Any, Any]:
        with self._counted("setup", test=item.nodeid):
            return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        with self._counted("call", test=item.nodeid):
            return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Generator[None, Any, Any]:
        with self._counted("teardown", test=item.nodeid):
            return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Generator[None, Any, Any]:
        with self._counted("fixture", name=f"{fixturedef.baseid} {fixturedef.argname}"):
            return (yield)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--costs", type=Path, help="folder for what tests cost")


def pytest_configure(config: pytest.Config) -> None:
    folder = config.getoption("--costs")
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
        config.pluginmanager.register(Costs(folder / f"{worker}.jsonl"))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("by", choices=("files", "tests", "fixtures"), nargs="?", default="files")
    parser.add_argument("--most", type=int, default=40, help="how many, the dearest first")
    given = parser.parse_args()
    lines = [line for path in given.folder.glob("*.jsonl") for line in path.open()]
    told = [json.loads(line) for line in lines if line.endswith("\n")]
    tests = [one for one in told if one["kind"] != "fixture"]
    print(f"{sum(one['seconds'] for one in tests):8.1f} s in all")
    costs: Counter[str] = Counter()
    for one in told if given.by == "fixtures" else tests:
        if (one["kind"] == "fixture") == (given.by == "fixtures"):
            name = one.get("name") or one["test"]
            costs[name.partition("::")[0] if given.by == "files" else name] += one["seconds"]
    for name, seconds in costs.most_common(given.most):
        print(f"{seconds:8.2f} s  {name}")


if __name__ == "__main__":
    main()
