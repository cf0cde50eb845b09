"""docs/api.md says what the docstrings say, of every name."""

from __future__ import annotations

import inspect

import pytest

import wavelab
from scripts.api_page import PAGE, markdown, page


def test_the_page_is_up_to_date():
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python -m scripts.api_page"


@pytest.mark.parametrize("name", [name for name in wavelab.__all__ if name != "__version__"])
def test_every_name_is_described_with_its_parameters(name):
    thing = getattr(wavelab, name)
    text = page()
    assert f"## `{name}" in text
    if not inspect.isclass(thing):
        for parameter in inspect.signature(thing).parameters:
            assert f"`{parameter}`" in text.split(f"## `{name}")[1].split("\n## ")[0]


def test_a_docstring_becomes_markdown():
    doc = """One line of :class:`Scene`.

    Parameters
    ----------
    a, b : two numbers, of ``a`` kind
        that goes on.

    Returns
    -------
    A text.

    Examples
    --------
    >>> for i in range(2):
    ...     print(i)
    0
    """
    assert markdown(doc) == (
        "One line of `Scene`.\n\n**Parameters**\n\n- `a`, `b`: two numbers, of `a` kind that goes "
        "on.\n\n**Returns**\n\nA text.\n\n```python\nfor i in range(2):\n    print(i)\n# 0\n```\n"
    )
