"""Run the cells of a notebook in this process, and show what stands at their ends as Jupyter does:
``python tests/run_notebook.py NAME.ipynb``."""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path
from typing import Any


def cells(path: Path) -> list[str]:
    """The code of a notebook."""
    book = json.loads(path.read_text(encoding="utf-8"))
    return ["".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "code"]


def run(code: str, names: dict[str, Any]) -> None:
    """A cell; if its last line is an expression, that is shown."""
    tree = ast.parse(code)
    last = tree.body[-1]
    shown = tree.body.pop() if isinstance(last, ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), names)
    if isinstance(shown, ast.Expr):
        value = eval(compile(ast.Expression(shown.value), "<cell>", "eval"), names)
        for way in ("_repr_html_", "_repr_png_", "__repr__"):
            if hasattr(value, way):
                print(len(getattr(value, way)()), type(value).__name__)
                break


if __name__ == "__main__":
    names: dict[str, Any] = {"__name__": "__main__"}
    for code in cells(Path(sys.argv[1])):
        run(code, names)
