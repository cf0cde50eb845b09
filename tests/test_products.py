"""What tests leave of products of their parameters."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from tests import products
from tests.products import each_pair, each_value

CHOICES = [("a", "b", "c", "d"), (1, 2, 3), (False, True), (0.5,)]


@pytest.mark.parametrize(("choose", "size"), [(each_value, 1), (each_pair, 2)])
def test_no_combination_of_that_many_values_is_missing(
    monkeypatch, choose: Callable[..., list[tuple[object, ...]]], size: int
):
    product = list(itertools.product(*CHOICES))
    monkeypatch.setattr(products, "ALL", True)
    assert sorted(choose(*CHOICES)) == sorted(product)
    monkeypatch.setattr(products, "ALL", False)
    rows = choose(*CHOICES)
    assert len(rows) < len(product)
    assert set(rows) <= set(product)
    for places in itertools.combinations(range(len(CHOICES)), size):
        found = {tuple(row[i] for i in places) for row in rows}
        assert found == set(itertools.product(*(CHOICES[i] for i in places)))
