"""``wavelab compare``: the numbers, the picture, and what it refuses."""

from __future__ import annotations

import json

import av
import pytest

from tests.sample_scenes import boxed


def test_one_json_object_with_both_runs(wavelab, small, tmp_path):
    picture = tmp_path / "both.png"
    status, out, _ = wavelab(
        "compare", small, "--backend", "numpy", "--until", "0.1", "--with", "order=2",
        "--with", "upwinding=0", "--pixels", "160", "--picture", picture, "--json",
    )  # fmt: skip
    assert status == 0
    told = json.loads(out)
    assert told["scene"] == str(small)
    assert told["with"] == "order=2, upwinding=0"
    assert told["until"] == pytest.approx(0.1)
    assert len(told["times"]) == len(told["differences"])
    assert 0 < told["difference"] <= told["largest_difference"] < 1
    for run in ("this", "other"):
        assert set(told[run]) == {
            "method", "device", "cells", "unknowns", "dt", "steps", "steps_per_s", "wall_s",
            "wall_s_per_time", "error",
        }  # fmt: skip
        assert told[run]["steps"] * told[run]["dt"] == pytest.approx(0.1)
    with av.open(str(picture)) as file:
        pixels = next(file.decode(video=0)).to_ndarray(format="rgb24")
    # Three pictures of a square side by side, none of which is all of one colour.
    third = pixels.shape[1] // 3
    assert third > 160
    assert all(pixels[:, n * third : (n + 1) * third].std() > 5 for n in range(3))


def test_people_read_a_table_and_a_sentence(wavelab, small):
    status, out, _ = wavelab(
        "compare", small, "--backend", "numpy", "--until", "0.1", "--with", "grid=0.05"
    )
    assert status == 0
    assert "grid of 0.05" in out
    assert "seconds per unit of time" in out
    assert out.splitlines()[-1].startswith("At t = 0.1 Ez differs by")


def test_the_field_has_the_name_that_it_has_in_these_waves(wavelab, tmp_path):
    path = tmp_path / "room.toml"
    path.write_text(
        'physics = "sound"\n'
        + boxed("", '[initial]\npressure = "cos(pi*x)"\n[solver]\nelement_size = 0.5\norder = 2\n')
    )
    for change, said in (("order=3", "p differs by"), ("order=2", "p is the same")):
        status, out, _ = wavelab(
            "compare", path, "--backend", "numpy", "--until", "0.1", "--with", change
        )
        assert status == 0
        assert out.splitlines()[-1].startswith(f"At t = 0.1 {said}")
        assert "Ez" not in out


def test_what_differs_must_be_said_and_the_picture_be_one(wavelab, small):
    status, _, err = wavelab("compare", small)
    assert status == 2
    assert "Give --with order=6" in err
    status, _, err = wavelab("compare", small, "--with", "order=2", "--picture", "a.jpg")
    assert status == 2
    assert ".png" in err
