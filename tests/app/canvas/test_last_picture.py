"""While a scene becomes another one there is a wave to be seen all the time."""

from __future__ import annotations

import numpy as np

from wavelab.app.base.images import pixels_of
from wavelab.app.base.qt import QtWidgets
from wavelab.app.edits import edits
from wavelab.app.edits.domain_edits import cut_hole
from wavelab.output.palette import background
from wavelab.paths import SCENES
from wavelab.scene.model.shapes import Rectangle


def brightness(driver) -> float:
    """How far the middle of the canvas is from the colour of a quiet field."""
    view, field = driver.canvas.view, driver.canvas.field.native
    column, row = (round(at) for at in view.to_pixels((0.5, 0.35)))
    pixels = pixels_of(QtWidgets.QWidget.grab(field).toImage())[
        row - 20 : row + 20, column - 20 : column + 20
    ]
    quiet = np.array(background(driver.bench.views.state.palette), int)
    return float(np.abs(pixels.astype(int) - quiet).max(axis=2).mean())


def test_the_last_picture_stays_until_the_new_one_is_there(at_rest):
    driver = at_rest()
    driver.settled()
    driver.until(lambda: driver.canvas.field.sharp and brightness(driver) > 50)
    changes = (
        lambda scene: cut_hole(scene, Rectangle((0.7, 0.7), (0.8, 0.8))),
        lambda scene: edits.set_element_size(scene, 0.1),
        lambda scene: edits.set_order(scene, 4),
    )
    darkest = []
    for change in changes:
        # However late its first frame comes.
        driver.program.pump.stop()
        driver.bench.editor.attempt(change)
        driver.until(lambda: darkest.append(brightness(driver)) or not driver.session.busy)
        driver.until(lambda: darkest.append(brightness(driver)) or driver.canvas.field.sharp)
        driver.program.pump.start()
        driver.settled()
        driver.until(lambda: darkest.append(brightness(driver)) or driver.canvas.field.sharp)
    assert min(darkest) > 50
    # Another experiment too takes its place when it is there, and not before.
    before = driver.canvas.view
    driver.bench.files.open_path(SCENES / "disk.toml")
    driver.until(lambda: driver.session.running.scene.title != "Standing")
    driver.settled()
    assert driver.canvas.view != before
