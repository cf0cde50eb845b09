"""``wavelab run --profile``."""

import json

import pytest

from tests.sample_scenes import boxed


def profile(path):
    """Spans by row, as (name, begin, end), and the values of the counters by name."""
    events = json.loads(path.read_text())["traceEvents"]
    titles = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
    rows, counters = {}, {}
    for e in events:
        if e["ph"] == "X":
            row = rows.setdefault(titles[e["tid"]], [])
            row.append((e["name"], e["ts"], e["ts"] + e["dur"]))
        elif e["ph"] == "C":
            counters.setdefault(e["name"], []).append(e["args"]["value"])
    return rows, counters


@pytest.fixture
def profiled(wavelab, small, tmp_path):
    path = tmp_path / "profile.json"
    movie, picture = tmp_path / "a.gif", tmp_path / "a.png"
    status, out, err = wavelab(
        "run", small, "--profile", path, "--movie", movie, "--image", picture, "--size", "32x32"
    )
    assert status == 0, err
    assert f"wrote {path}" in out
    return profile(path)


def test_a_profile_shows_what_each_thread_did_and_the_kernels(profiled):
    rows, counters = profiled
    (device,) = set(rows) - {"MainThread", "wavelab movie"}
    names = {row: {name for name, _, _ in spans} for row, spans in rows.items()}
    assert names["MainThread"] >= {
        "mesh", "build operators", "prepare the device", "steps", "hand over pictures",
        "finish movie", "write picture",
    }  # fmt: skip
    assert names["wavelab movie"] == {"prepare sampling", "sample", "colour", "encode"}
    assert names[device] >= {"stage 1", "stage 5", "sample_points", "view_ez", "read back"}
    assert len(counters["steps/s"]) == sum(n == "steps" for n, _, _ in rows["MainThread"])
    assert min(counters["steps/s"]) > 0


def test_spans_of_a_row_nest(profiled):
    rows, _ = profiled
    for spans in rows.values():
        open_ends = []
        for _, begin, end in sorted(spans, key=lambda span: (span[1], -span[2])):
            # Microseconds with decimals: sums are off by rounding.
            while open_ends and open_ends[-1] <= begin + 1e-3:
                open_ends.pop()
            assert not open_ends or end <= open_ends[-1] + 1e-3
            open_ends.append(end)


def test_a_profile_that_cannot_be_written_stops_the_run_before_it_begins(wavelab, small, tmp_path):
    picture = tmp_path / "a.png"
    status, _, err = wavelab("run", small, "--profile", tmp_path / "p.txt", "--image", picture)
    assert status == 2
    assert "ending" in err
    assert not picture.exists()


def test_a_run_that_fails_leaves_its_profile(wavelab, tmp_path):
    scene = tmp_path / "outside.toml"
    scene.write_text(
        boxed(
            "t",
            '[[probes]]\nname = "p"\nposition = [3, 3]\n'
            "[solver]\nelement_size = 0.4\nuntil = 0.1\n",
        )
    )
    status, _, err = wavelab("run", scene, "--profile", tmp_path / "p.json")
    assert (status, "outside" in err) == (2, True)
    rows, _ = profile(tmp_path / "p.json")
    assert [name for name, _, _ in rows["MainThread"]] == ["mesh", "build operators"]
