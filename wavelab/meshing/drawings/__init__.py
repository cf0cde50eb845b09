"""Drawings as geometry: which files there are, and what becomes of them."""

#: Files that hold a drawing.
SUFFIXES = (".svg", ".dxf", ".gds", ".gds2")
#: Those made of shapes beside and over each other, as of a chip, and not of a room with obstacles.
LAYOUTS = (".gds", ".gds2")
