"""Poles of dispersive media: one file for each kind, with its numbers and its equations."""

from wavelab.scene.model.pole import Pole
from wavelab.scene.poles.debye import Debye
from wavelab.scene.poles.drude import Drude
from wavelab.scene.poles.lorentz import Lorentz

#: The ``kind`` written in a scene file.
POLES: dict[str, type[Pole]] = {"drude": Drude, "lorentz": Lorentz, "debye": Debye}
