"""How fine the mesh is, of which order the elements are, and how time is stepped."""

from __future__ import annotations

from wavelab.app.panels.positive_field import PositiveField
from wavelab.app.panels.section import Section, muted_label
from wavelab.app.qt import Qt, QtWidgets, Signal
from wavelab.app.resolution_text import ResolutionText
from wavelab.numerics.reference_element import MAX_ORDER
from wavelab.scene.scene import Scene
from wavelab.scene.validate import STEPPERS


class MeshPanel(Section):
    """Emits ``order_wished(int)``, ``size_wished(float)`` and ``stepper_wished(str)``."""

    order_wished = Signal(int)
    size_wished = Signal(float)
    stepper_wished = Signal(str)

    def __init__(self) -> None:
        super().__init__("Mesh")
        self.size = PositiveField(0.1)
        self.size.setToolTip("Target edge length of the triangles, in the scene's length unit")
        self.order = QtWidgets.QSpinBox()
        self.order.setRange(1, MAX_ORDER)
        self.order.setKeyboardTracking(False)
        self.order.setAlignment(Qt.AlignRight)
        self.order.setToolTip(
            "Degree of the polynomial on each triangle; higher resolves shorter waves"
        )
        self.stepper = QtWidgets.QComboBox()
        self.stepper.addItems(STEPPERS)
        self.stepper.setToolTip(
            "Runge-Kutta scheme; auto takes the cheapest at equal error, ndb144 the longest steps; "
            "local lets small elements alone take short steps"
        )
        self.resolution = muted_label()
        self.add_row("Element size", self.size)
        self.add_row("Order", self.order)
        self.add_row("Stepper", self.stepper)
        self.add_wide(self.resolution)
        self.order.valueChanged.connect(self.order_wished)
        self.size.changed.connect(self.size_wished)
        self.stepper.textActivated.connect(self.stepper_wished)

    def show_scene(self, scene: Scene) -> None:
        solver = scene.solver
        self.order.blockSignals(True)
        self.order.setValue(solver.order)
        self.order.blockSignals(False)
        self.size.set_value(solver.element_size)
        self.stepper.setCurrentText(solver.stepper)
        from_file = scene.mesh_file is not None
        self.size.setEnabled(not from_file)

    def show_resolution(self, found: ResolutionText) -> None:
        """How well the mesh that runs carries the waves of its sources."""
        self.resolution.setText(found.text)
        self.resolution.setToolTip(found.meaning)
