"""The plots of the window, drawn by pyqtgraph; the polar one, which it does not have, by Qt."""

import os

os.environ["PYQTGRAPH_QT_LIB"] = "PyQt5"  # whatever else is installed

import pyqtgraph.exceptionHandling

# It puts itself before whatever shows exceptions; the window has a way of its own.
pyqtgraph.exceptionHandling.handler.remove()
