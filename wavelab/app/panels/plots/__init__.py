"""The plots of the window, drawn by pyqtgraph; the polar one, which it does not have, by Qt."""

import os
import sys

os.environ["PYQTGRAPH_QT_LIB"] = "PyQt5"  # whatever else is installed

import pyqtgraph.exceptionHandling

# It puts itself before whatever shows exceptions; the window has a way of its own.
pyqtgraph.exceptionHandling.handler.remove()


class _NoWidgets(pyqtgraph.WidgetGroup):
    """Takes up none of the widgets of pyqtgraph's own menu, which nobody sees here.

    It would walk through all of them for every plot, Qt's internal ones too; where many windows had
    come and gone PyQt5 met one there that was gone, and the program with it.
    """

    def autoAdd(self, obj: object) -> None:
        pass


sys.modules["pyqtgraph.graphicsItems.PlotItem.PlotItem"].WidgetGroup = _NoWidgets  # type: ignore[attr-defined]
