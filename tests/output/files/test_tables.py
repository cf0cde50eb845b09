"""Tables read back are the columns written, to the last bit."""

from __future__ import annotations

import csv

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from wavelab.output.files.tables import write_table

NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names=st.lists(NAMES, max_size=4), data=st.data())
def test_round_trip(tmp_path, names, data):
    rows = data.draw(st.integers(0, 5))
    values = data.draw(npst.arrays(np.float64, (rows, len(names) + 1)))
    write_table(tmp_path / "p.csv", ["time", *names], values.T)
    with (tmp_path / "p.csv").open(newline="", encoding="utf-8") as file:
        header, *lines = csv.reader(file)
    assert header == ["time", *names]
    read = np.array([[float(cell) for cell in line] for line in lines]).reshape(values.shape)
    np.testing.assert_array_equal(read, values)


def test_the_text_follows_rfc_4180(tmp_path):
    columns = [0.0, 0.1], [1.0, 1 / 3], [2e-9, -4.0]
    write_table(tmp_path / "p.csv", ["time", 'a, "b"', "c"], columns)
    assert (tmp_path / "p.csv").read_bytes() == (
        b'time,"a, ""b""",c\r\n0.0,1.0,2e-09\r\n0.1,0.3333333333333333,-4.0\r\n'
    )


@pytest.mark.parametrize(
    "columns", [([0.0], [1.0], [2.0]), ([0.0, 1.0], [1.0]), ([[0.0]], [[1.0]]), ([0.0],)]
)
def test_shapes_that_do_not_fit(tmp_path, columns):
    with pytest.raises(ValueError, match="fit"):
        write_table(tmp_path / "p.csv", ["time", "one"], columns)
    assert list(tmp_path.iterdir()) == []
