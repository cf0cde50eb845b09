"""A picture read back is the picture written."""

from __future__ import annotations

import av
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wavelab.errors import OutputError
from wavelab.output.picture import write_png


def read(path):
    with av.open(str(path)) as container:
        (frame,) = container.decode(video=0)
        return frame.to_ndarray(format="rgb24")


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(width=st.integers(1, 70), height=st.integers(1, 70), seed=st.integers(0, 99))
def test_lossless_at_any_size(tmp_path, width, height, seed):
    rgb = np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)
    write_png(tmp_path / "a.png", rgb)
    np.testing.assert_array_equal(read(tmp_path / "a.png"), rgb)


def test_views_into_other_arrays_are_written_as_they_look(tmp_path):
    rgb = np.arange(20 * 30 * 3, dtype=np.uint8).reshape(20, 30, 3)[::-1, ::2]
    write_png(tmp_path / "a.png", rgb)
    np.testing.assert_array_equal(read(tmp_path / "a.png"), rgb)


@pytest.mark.parametrize(
    "rgb",
    [
        np.zeros((4, 4), np.uint8),
        np.zeros((4, 4, 4), np.uint8),
        np.zeros((4, 4, 3), np.float32),
        np.zeros((0, 4, 3), np.uint8),
    ],
)
def test_arrays_that_are_no_picture(tmp_path, rgb):
    with pytest.raises(ValueError, match="picture"):
        write_png(tmp_path / "a.png", rgb)
    assert list(tmp_path.iterdir()) == []


def test_other_endings_are_refused(tmp_path):
    with pytest.raises(OutputError, match=r"(?s)'\.jpg'.*a\.png"):
        write_png(tmp_path / "a.jpg", np.zeros((2, 2, 3), np.uint8))
