"""How fine the mesh is and of which order the elements are."""

from __future__ import annotations

from wavelab.app.panels.positive_field import PositiveField
from wavelab.app.panels.section import Section, muted_label
from wavelab.app.qt import Qt, QtWidgets, Signal
from wavelab.app.resolution_text import ResolutionText
from wavelab.numerics.reference_element import MAX_ORDER
from wavelab.scene.scene import Scene


class MeshPanel(Section):
    """Emits ``order_wished(int)`` and ``size_wished(float)``."""

    order_wished = Signal(int)
    size_wished = Signal(float)

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
        self.resolution = muted_label()
        self.add_row("Element size", self.size)
        self.add_row("Order", self.order)
        self.add_wide(self.resolution)
        self.order.valueChanged.connect(self.order_wished)
        self.size.changed.connect(self.size_wished)

    def show_scene(self, scene: Scene) -> None:
        solver = scene.solver
        self.order.blockSignals(True)
        self.order.setValue(solver.order)
        self.order.blockSignals(False)
        self.size.set_value(solver.element_size)
        from_file = scene.mesh_file is not None
        self.size.setEnabled(not from_file)

    def show_resolution(self, found: ResolutionText) -> None:
        """How well the mesh that runs carries the waves of its sources."""
        self.resolution.setText(found.text)
        self.resolution.setToolTip(found.meaning)
