"""What a stage of elastic waves takes beside one of the scalar: python -m scripts.elastic_stages

For each order, in turns on one mesh: microseconds a stage of both, and what part of the time is the
least that elastic waves could take on this device: to read and write the fields and the residual
once and the metric, or, where that is longer, to do the products with matrices.  Traces, which
neighbours read, and what is done at nodes do not count.
"""

from __future__ import annotations

import argparse
from fractions import Fraction

import numpy as np

from wavelab.benchmark.stages import conducting_room, device_and_mesh
from wavelab.benchmark.timing import side_by_side
from wavelab.benchmark.work import product_flops, stage_bytes
from wavelab.opencl.device.limits import measure_limits
from wavelab.opencl.elements.equations import ELASTIC
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.physics.operator.elastic import ElasticPSV
from wavelab.physics.operator.fields import ElasticFields
from wavelab.physics.time.time_step import suited_scheme


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--device", help="as `wavelab run` takes it")
    parser.add_argument("--elements", type=int, help="about how many; else what suits the device")
    parser.add_argument("--orders", type=int, nargs="+", default=[2, 3, 4, 5, 6])
    parser.add_argument("--precision", choices=["single", "double"], default="single")
    asked = parser.parse_args()
    device, mesh = device_and_mesh(asked.device, asked.precision, asked.elements)
    print(f"{device.name.strip()}, {asked.precision} precision, {mesh.n_elements:,} elements")
    print("order  elastic, us  scalar, us  of its limit  layout")
    for order in asked.orders:
        limits = measure_limits(device, asked.precision)
        scalar, fields, dt = conducting_room(mesh, order)
        d, one = scalar.discretization, np.ones(mesh.n_elements)
        elastic = ElasticPSV(d, one, one, one, np.ones((d.n_elements, 3, 2)), 1.0)
        mode, scheme = fields.ez, suited_scheme(scalar)
        how = {"scheme": scheme, "precision": asked.precision, "device": device}
        # P waves are sqrt(3) times as fast.
        steppers = [OpenCLStepper(elastic, dt=dt / 3, **how), OpenCLStepper(scalar, dt=dt, **how)]
        for stepper, of in zip(steppers, (ElasticFields.of([mode] * 5), fields), strict=True):
            stepper.set_fields(of)
            stepper.compile_at_once()
        seconds = [s / scheme.n_stages for s in side_by_side(steppers)]
        limits = limits.best(measure_limits(device, asked.precision))
        config = steppers[0].config
        for stepper in steppers:
            stepper.close()
        size = {"single": 4, "double": 8}[asked.precision]
        restarts = Fraction(scheme.restarts, scheme.n_stages)
        moved = stage_bytes(d.nodes_per_element, size, restarts, ELASTIC.load.n_fields)
        derivative, face_lift = product_flops(order)
        flops = ELASTIC.load.n_products * derivative + 3 * ELASTIC.waves * face_lift
        least = (
            d.n_elements
            * max(float(moved) / limits.copy_gbytes_per_s, flops / limits.fma_gflops)
            / 1e9
        )
        print(
            f"{order:5}  {seconds[0] * 1e6:11,.1f}  {seconds[1] * 1e6:10,.1f}  "
            f"{least / seconds[0]:12.0%}  {config.matrices}, {config.rows} of {config.lanes}",
            flush=True,
        )


if __name__ == "__main__":
    main()
