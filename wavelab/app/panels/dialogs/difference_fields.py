"""Fields for what another run of a scene has otherwise."""

from __future__ import annotations

from wavelab.app.base.layouts import row
from wavelab.app.base.qt import QtCore, QtWidgets
from wavelab.app.language.language import tr
from wavelab.app.panels.fields.number_fields import PositiveField, WholeField
from wavelab.numerics.elements.reference_element import MAX_ORDER
from wavelab.scene.edges.wall_at import wall_at
from wavelab.scene.editing.settings import Setting
from wavelab.scene.editing.typed_values import shown_number
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.units import LENGTH
from wavelab.simulation.side_by_side.changes import EQUAL, GRID, OUTER_WALLS, outer_kinds

#: What is offered whatever the scene is, as the other run is told.
KINDS = {
    "order": "order",
    "upwinding": "flux",
    "h": "element size",
    OUTER_WALLS: "outer walls",
    GRID: "method: finite differences",
}
#: The flux, as upwinding.
FLUXES = {"0": "central", "1": "upwind"}


class DifferenceFields(QtWidgets.QWidget):
    """A choice of what differs, with a field for its value.

    Attributes
    ----------
    what : keys of ``KINDS``, then the parameters of the scene.
    """

    def __init__(self) -> None:
        super().__init__()
        self._scene: Scene | None = None
        self.what = QtWidgets.QComboBox()
        self.what.setToolTip(tr("What the other run has otherwise"))
        self.order = WholeField(1, MAX_ORDER)
        self.flux, self.walls = QtWidgets.QComboBox(), QtWidgets.QComboBox()
        for upwinding, name in FLUXES.items():
            self.flux.addItem(tr(name), upwinding)
        self.size = PositiveField(0.1, dimension=LENGTH)
        self.equal = QtWidgets.QCheckBox(tr("as many unknowns"))
        self.equal.setToolTip(tr("A grid with as many unknowns as the elements have"))
        self.equal.setChecked(True)
        self.cell = PositiveField(0.01, dimension=LENGTH)
        self.cell.setToolTip(tr("Size of the cells of the grid"))
        self.cell.setEnabled(False)
        self.equal.toggled.connect(self.cell.setDisabled)
        self.number = QtWidgets.QLineEdit()
        self.number.setToolTip(tr("Value of the parameter in the other run"))
        grid = QtWidgets.QWidget()
        row(self.equal, self.cell, on=grid)
        self._pages: dict[str, QtWidgets.QWidget] = {
            "order": self.order, "upwinding": self.flux, "h": self.size,
            OUTER_WALLS: self.walls, GRID: grid,
        }  # fmt: skip
        self._values = QtWidgets.QStackedWidget()
        for page in (*self._pages.values(), self.number):
            self._values.addWidget(page)
        self._values.setSizePolicy(QtWidgets.QSizePolicy.Maximum, QtWidgets.QSizePolicy.Fixed)
        row(self.what, self._values, on=self)
        self.what.currentIndexChanged.connect(self._turn)

    def show_scene(self, scene: Scene) -> None:
        """Offer what it has, with values that differ from its own; what is chosen stays."""
        before, self._scene = self._scene, scene
        chosen = self.what.currentData()
        with QtCore.QSignalBlocker(self.what):
            self.what.clear()
            for key, name in KINDS.items():
                self.what.addItem(tr(name), key)
            for parameter in scene.parameters:
                self.what.addItem(parameter.name, parameter.name)
            self.what.setCurrentIndex(max(0, self.what.findData(chosen)))
        if before is None or before.solver != scene.solver:
            solver = scene.solver
            self.order.set_value(solver.order + 2 if solver.order + 2 <= MAX_ORDER else 2)
            self.flux.setCurrentIndex(0 if solver.upwinding else 1)
            self.size.set_value(float(f"{solver.element_size / 2:.3g}"))
            self.cell.set_value(float(f"{solver.element_size / (solver.order + 1):.2g}"))
        kinds = outer_kinds(scene)
        if before is None or before.physics != scene.physics:
            self.walls.clear()
            for name, kind in kinds.items():
                self.walls.addItem(tr(kind.label), name)
        if before is None or before.walls != scene.walls:
            own = wall_at("domain", scene)
            other = next(name for name, kind in kinds.items() if not isinstance(own, kind))
            self.walls.setCurrentIndex(self.walls.findData(other))
        self._turn()

    def changes(self) -> tuple[Setting, ...]:
        """As the other run is told."""
        key = self.what.currentData()
        values = {
            "order": str(self.order.value()),
            "upwinding": self.flux.currentData(),
            "h": repr(self.size.value),
            OUTER_WALLS: self.walls.currentData(),
            GRID: EQUAL if self.equal.isChecked() else repr(self.cell.value),
        }
        # A parameter of the scene goes before a name of these, so the index says which is meant.
        if self.what.currentIndex() >= len(KINDS):
            return ((key, self.number.text().strip()),)
        return ((key, values[key]),)

    def words(self) -> str:
        """What the other run is called: "order 6"."""
        key = self.what.currentData()
        if self.what.currentIndex() >= len(KINDS):
            return f"{key} = {self.number.text().strip()}"
        return {
            "order": tr("order {n}", n=self.order.value()),
            "upwinding": tr("{kind} flux", kind=self.flux.currentText()),
            "h": tr("elements of {size}", size=shown_number(self.size.value)),
            OUTER_WALLS: tr("outer walls: {kind}", kind=self.walls.currentText()),
            GRID: tr("finite differences"),
        }[key]

    def _turn(self) -> None:
        """To the field of what is chosen."""
        key = self.what.currentData()
        if self.what.currentIndex() < len(KINDS):
            self._values.setCurrentWidget(self._pages[key])
            return
        self._values.setCurrentWidget(self.number)
        if self._scene is not None and key in self._scene.values:
            self.number.setText(shown_number(self._scene.values[key]))
