"""Make the small pictures of the gallery anew, each a moment of its scene's wave.

python scripts/previews.py              # all
python scripts/previews.py lens disk    # these
"""

from __future__ import annotations

import sys

from wavelab.paths import PREVIEWS, SCENES
from wavelab.scene.toml.toml_io import load_scene
from wavelab.simulation.headless.batch import run_batch
from wavelab.simulation.headless.batch_options import BatchOptions

#: Pixels: those of an entry on a screen with twice as many.
SIZE = (112, 80)
#: The moment at which most of a scene can be seen, in parts of the time it is run for.
USUAL = 0.5
MOMENTS = {
    "anti_reflection": 1.0,
    "beats": 0.5,
    "bragg_mirror": 1.0,
    "brewster": 1.0,
    "brewster_te": 1.0,
    "cavity_1_1": 0.05,
    "cavity_2_3": 0.05,
    "cavity_lossy": 0.05,
    "cavity_magnetic": 0.05,
    "changing_cavity": 0.05,
    "cherenkov": 0.9,
    "corner_reflector": 1.0,
    "coupled_cavities": 0.25,
    "coupler": 1.0,
    "crystal_square": 0.1,
    "crystal_triangular": 0.2,
    "doppler": 0.8,
    "drum": 0.06,
    "echo": 0.3,
    "fabry_perot": 1.0,
    "graded_cavity": 0.05,
    "grating": 1.0,
    "half_dielectric": 0.05,
    "half_plane": 1.0,
    "harbour": 1.0,
    "impedance_tube": 1.0,
    "iris_filter": 1.0,
    "lens": 0.9,
    "lettering": 0.4,
    "lloyds_mirror": 1.0,
    "luneburg_lens": 0.9,
    "muffler": 1.0,
    "organ_pipes": 0.01,
    "parabolic_mirror": 1.0,
    "phased_array": 0.9,
    "phononic_crystal": 0.1,
    "photonic_crystal": 1.0,
    "plasma_mirror": 0.8,
    "power_plane": 0.055,
    "ring_resonator": 1.0,
    "shore": 1.0,
    "single_slit": 1.0,
    "snell": 1.0,
    "site_response": 0.98,
    "sonic_boom": 0.95,
    "string": 0.97,
    "time_mirror": 0.9,
    "total_reflection": 1.0,
    "tsunami": 0.85,
    "wave_machine": 1.0,
    "welcome": 0.9,
    "wire_grid": 1.0,
    "zone_plate": 1.0,
}


def main(names: list[str]) -> None:
    PREVIEWS.mkdir(exist_ok=True)
    for path in sorted(SCENES.glob("*.toml")):
        if not names or path.stem in names:
            scene = load_scene(path)
            until = scene.solver.until * MOMENTS.get(path.stem, USUAL)
            image = PREVIEWS / f"{path.stem}.png"
            run_batch(scene, BatchOptions(until=until, image=image, size=SIZE, progress=False))
            print(f"{image.name}: t = {until:g}, {image.stat().st_size} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
