"""The figure of a benchmark: GFLOP/s against the order."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from wavelab.atomic import check_target, whole_file
from wavelab.benchmark.stages import StageRate
from wavelab.benchmark.work import stage_work
from wavelab.errors import WavelabError
from wavelab.numerics.time.runge_kutta import SCHEMES

SUFFIXES = (".png", ".svg", ".pdf")
_INCHES = (7.0, 4.5)
_DOTS_PER_INCH = 150


def check_plotting(path: Path) -> None:
    """Refuse to start a long measurement whose figure cannot be drawn.

    Raises
    ------
    WavelabError : matplotlib is missing.
    OutputError : the file cannot be written, or its ending is none of ``SUFFIXES``.
    """
    check_target(path, SUFFIXES)
    # An extra and not a dependency: it is larger than all else that wavelab needs but Qt, and one
    # figure for those who measure kernels is its only use.
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError as error:
        raise WavelabError(
            f"a plot needs matplotlib: {error}", remedy='Install it: pip install "wavelab[bench]".'
        ) from error


def plot_rates(rates: Sequence[StageRate], path: Path) -> None:
    """Draw GFLOP/s over N for each variant, below the limit of the device.

    Raises
    ------
    WavelabError : matplotlib is missing.
    OutputError : the file cannot be written, or its ending is none of ``SUFFIXES``.
    """
    check_plotting(path)
    # Not pyplot, which looks for a display.
    from matplotlib.figure import Figure

    figure = Figure(figsize=_INCHES, dpi=_DOTS_PER_INCH, layout="constrained")
    axes = figure.subplots()
    first = rates[0]
    schemes = {rate.order: SCHEMES[rate.stepper] for rate in rates}
    orders = sorted(schemes)
    works = [stage_work(order, first.precision, schemes[order]) for order in orders]
    # At which memory or arithmetic binds.
    limit = [
        min(first.fma_gflops, first.copy_gbytes_per_s * work.flops / work.bytes) for work in works
    ]
    axes.plot(orders, limit, color="0.6", dashes=(4, 2), label="limit")
    for variant in dict.fromkeys(rate.variant for rate in rates):
        curve = sorted((rate.order, rate.gflops) for rate in rates if rate.variant == variant)
        axes.plot(*zip(*curve, strict=True), marker="o", label=variant)
    axes.set(
        xlabel="order N",
        ylabel="GFLOP/s of unavoidable work",
        title=f"{first.device}, {first.precision} precision, {first.elements:,} elements",
        xticks=orders,
        ylim=(0, None),
    )
    axes.grid(color="0.9")
    axes.legend(frameon=False)
    with whole_file(path, SUFFIXES) as partial:
        figure.savefig(partial)
