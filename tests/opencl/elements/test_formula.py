"""Formulas mean the same on the device as in NumPy."""

from __future__ import annotations

import numpy as np
import pyopencl as cl
import pytest

from wavelab.errors import FormulaError
from wavelab.numerics.elements.reference_element import reference_element
from wavelab.opencl.device.program import build, render
from wavelab.opencl.elements.equations import MAXWELL
from wavelab.opencl.elements.formula import opencl_source
from wavelab.opencl.elements.layout import KernelConfig, face_slots
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.formulas.formula_functions import FUNCTIONS

VARIABLES = ("x", "y", "t")
FORMULAS = [
    "x - y - t",
    "-x^2",
    "2^-x",
    "(x - 2)^3 * (y - 1)**-2",
    "(-1.5)^9 + x^12",
    "abs(x - 1)^0.5 / 3",
    "x / y / t",
    "x / (y / t)",
    "1e-3*x + 1E+4*y + .5",
    "sin(2*pi*x) + cos(x*y) + tan(y/2)",
    "asin(x/4) + acos(y/4) + atan(x) + atan2(x - 1, y - 1)",
    "sinh(x) + cosh(y) + tanh(t) + exp(-x*y)",
    "log(x) + sqrt(y) + abs(x - y)",
    "min(x, y) + max(y, t) + sign(x - 1) + floor(3*x)",
    "heaviside(x - y) - heaviside(0)",
    "besselj(0, 5*x) + besselj(3, -40*y)",
    "1 if x < y else 2 if x < t else 3",
    "x if x < 1 and y <= 1 or t > 1 and x >= 1 else y*t",
    "e^x",
]


@pytest.fixture(scope="module")
def queue(device):
    return cl.CommandQueue(cl.Context([device]))


def helpers(real: str, width: int) -> str:
    """The functions that come with the kernel of formula sources."""
    element = reference_element(1)
    return render(
        "formula",
        layout="element",
        publishes=True,
        number="real_v",
        config=KernelConfig(8, width, rows=1, tile=1),
        real=real,
        rank_one=True,
        nodes_per_element=3,
        nodes_per_face=2,
        face_nodes=element.face_nodes,
        face_slots=face_slots(element.face_nodes, 3),
        equations=MAXWELL.template,
        coefficients=MAXWELL.coefficients,
        metric=MAXWELL.metric,
        material=MAXWELL.material,
        compact=False,
        jz="0",
        looks=1,
        uses_bessel=True,
    )


@pytest.mark.parametrize(
    ("precision", "width"), [("single", 1), ("single", 8), ("double", 1), ("double", 4)]
)
def test_values_agree(queue, precision, width):
    real, dtype = {"single": ("float", np.float32), "double": ("double", np.float64)}[precision]
    formulas = [Formula.parse(text, VARIABLES) for text in FORMULAS]
    count = 64 // width
    lines = [
        f"    out[{i} * {count} + k] = {opencl_source(f, precision, vector=True)};"
        for i, f in enumerate(formulas)
    ]
    source = (
        helpers(real, width)
        + "kernel void evaluate(global const real_v *in, global real_v *out) {\n"
        + "    const int k = get_global_id(0);\n"
        + f"    const real_v x = in[k], y = in[{count} + k], t = in[{2 * count} + k];\n"
        + "\n".join(lines)
        + "\n}\n"
    )
    given = np.random.default_rng(0).uniform(0.05, 2, (3, 64)).astype(dtype)
    found = np.empty((len(formulas), 64), dtype)
    flags = cl.mem_flags.COPY_HOST_PTR
    buffers = [cl.Buffer(queue.context, flags, hostbuf=array) for array in (given, found)]
    kernel = cl.Kernel(build(queue.context, source, queue.device), "evaluate")
    kernel(queue, (count,), None, *buffers)
    cl.enqueue_copy(queue, found, buffers[1])
    tolerance = 1e-5 if precision == "single" else 1e-12
    for formula, values in zip(formulas, found, strict=True):
        expected = formula.evaluate(**dict(zip(VARIABLES, given.astype(np.float64), strict=True)))
        error = np.abs(values - expected).max() / np.abs(expected).max()
        assert error < tolerance, formula.text


def test_every_function_is_there():
    text = " ".join(FORMULAS)
    for name, (count, _) in FUNCTIONS.items():
        assert f"{name}(" in text
        call = f"{name}({', '.join(['1', 'x'][-count:])})"
        assert opencl_source(Formula.parse(call, VARIABLES), "single")


def test_numbers_carry_their_precision():
    formula = Formula.parse("0.1*x - 3", VARIABLES)
    assert opencl_source(formula, "single") == "(((0.10000000149011612f) * x) + (-3.0f))"
    assert opencl_source(formula, "double") == "(((0.1) * x) + (-3.0))"


def test_number_too_large_for_single_precision_is_refused():
    formula = Formula.parse("1e60*x", VARIABLES)
    assert "1e+60" in opencl_source(formula, "double")
    with pytest.raises(FormulaError, match="single precision"):
        opencl_source(formula, "single")


def test_a_parameter_is_a_number_like_others():
    """So a changed one has nothing compiled anew."""
    text = "n^2 + sin(k*x)*exp(-(n - 0.5)*t)/a2"
    written = []
    for n, k, a2 in ((1.5, 3.0, 2.0), (3.25, -0.5, 1.0)):
        formula = Formula.parse(text, VARIABLES, {"n": n, "k": k, "a2": a2})
        plain = text.replace("a2", repr(a2)).replace("k", f"({k!r})").replace("n^2", f"{n!r}^2")
        plain = Formula.parse(plain.replace("(n ", f"({n!r} "), VARIABLES)
        numbers, others = [], []
        written.append(opencl_source(formula, "double", numbers=numbers))
        opencl_source(plain, "double", numbers=others)
        assert sorted(map(abs, numbers)) == sorted(map(abs, others))
        at = {"x": 0.3, "y": 0.0, "t": 0.7}
        assert formula.evaluate(**at) == plain.evaluate(**at)
    assert written[0] == written[1]
    assert "n" not in written[0].replace("sin", "")
