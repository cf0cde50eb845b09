"""``wavelab bench --tune``: the fastest config of the kernels for each order."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from tqdm import tqdm

from wavelab.cli.shared.output import row as _row
from wavelab.cli.shared.output import tuned_row

_TUNE_WIDTHS = (5, -5, 6, 7, 6, -1)
_BAR = "{percentage:3.0f}% |{bar}| {n:.1f}/{total} orders"


def tune_configs(arguments: argparse.Namespace) -> int:
    """Time the configs, remember the winners and print them; the exit status."""
    from wavelab.benchmark.tuning import tune_orders

    with tqdm(
        total=len(arguments.orders), unit="order", disable=None, bar_format=_BAR, leave=False
    ) as bar:
        outcomes = list(
            tune_orders(
                arguments.orders,
                elements=arguments.elements,
                precision=arguments.precision,
                device=arguments.device,
                progress=bar.update,
            )
        )
    if arguments.json:
        print(json.dumps([tuned_row(outcome) for outcome in outcomes]))
        return 0
    case = outcomes[0].case
    lines = [
        f"{case.device}, {arguments.precision} precision; speed relative to the untuned kernels",
        _row(_TUNE_WIDTHS, "order", "size", "configs", "seconds", "speed", "fastest"),
    ]
    for o in outcomes:
        config = ", ".join(f"{name} {value}" for name, value in asdict(o.config).items())
        lines.append(
            _row(
                _TUNE_WIDTHS,
                str(o.case.order),
                o.case.size,
                str(o.n_timed),
                f"{o.seconds:.1f}",
                f"{o.gain:.2f}",
                config,
            )
        )
    print("\n".join(lines))
    return 0
