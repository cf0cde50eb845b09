"""How fine the mesh is, of which order the elements are, and how time is stepped."""

from __future__ import annotations

from wavelab.app.base.foreign_text import as_tip
from wavelab.app.base.qt import Qt, QtWidgets, Signal
from wavelab.app.language.language import said, tr
from wavelab.app.panels.fields.labels import muted_label
from wavelab.app.panels.fields.number_fields import PositiveField, WholeField
from wavelab.app.panels.fields.section import Section
from wavelab.app.panels.messages.resolution_text import ResolutionText
from wavelab.numerics.elements.reference_element import MAX_ORDER
from wavelab.scene.model.scene import STEPPERS, Scene
from wavelab.scene.model.units import LENGTH

#: ``python -m scripts.curved_cost`` measures what it costs.
CURVED_TIP = (
    "Elements at circles, ellipses and arcs get a round face, so that a circle is a circle and "
    "the error falls with the full order there. Meshing and time step stay the same; a stage takes "
    "up to 0.1 ms more on a processor. Off: straight chords, and an error that falls as h\u00b2"
)
FROM_FILE_TIP = (
    "Elements of order 2 and more of a Gmsh file keep their curves; straight ones have none. Off: "
    "straight chords, and an error that falls as h\u00b2"
)


class MeshPanel(Section):
    """Emits ``order_wished(int)``, ``size_wished(float)``, ``stepper_wished(str)`` and
    ``curved_wished(bool)``."""

    order_wished = Signal(int)
    size_wished = Signal(float)
    stepper_wished = Signal(str)
    curved_wished = Signal(bool)

    def __init__(self) -> None:
        super().__init__("Mesh", foldable=True)
        self.size = PositiveField(0.1, dimension=LENGTH)
        self.size.setToolTip(tr("Target edge length of the triangles, in the scene's length unit"))
        self.order = WholeField(1, MAX_ORDER)
        self.order.setAlignment(Qt.AlignRight)
        self.order.setToolTip(
            tr("Degree of the polynomial on each triangle; higher resolves shorter waves")
        )
        self.stepper = QtWidgets.QComboBox()
        self.stepper.addItems(STEPPERS)
        self.stepper.setToolTip(
            tr(
                "Runge-Kutta scheme; auto takes the cheapest whose error stays below that of the "
                "elements; local lets small elements alone take short steps"
            )
        )
        self.curved = QtWidgets.QCheckBox(tr("follow circles and arcs"))
        self.curved.setToolTip(tr(CURVED_TIP))
        self.resolution = muted_label()
        self.add_row("Element size", self.size)
        self.add_row("Order", self.order)
        self.add_row("Stepper", self.stepper)
        self.add_row("Faces", self.curved)
        self.add_wide(self.resolution)
        self.order.valueChanged.connect(self.order_wished)
        self.size.changed.connect(self.size_wished)
        self.stepper.textActivated.connect(self.stepper_wished)
        self.curved.clicked.connect(self.curved_wished)

    def show_scene(self, scene: Scene) -> None:
        solver = scene.solver
        self.order.set_value(solver.order)
        self.size.set_value(solver.element_size)
        self.stepper.setCurrentText(solver.stepper)
        from_file = scene.mesh_file is not None
        self.size.setEnabled(not from_file)
        self.curved.setChecked(solver.curved)
        self.curved.setToolTip(tr(FROM_FILE_TIP) if from_file else tr(CURVED_TIP))

    def show_resolution(self, found: ResolutionText) -> None:
        """How well the mesh that runs carries the waves of its sources."""
        self.resolution.setText(said(found.text))
        self.resolution.setToolTip(as_tip(said(found.meaning)))
