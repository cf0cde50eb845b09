"""Drawings in DXF files: what is read, and what is not.

An own reader and no library: of some hundred kinds of entities a dozen enclose areas, and they are
lists of numbers.  ezdxf 1.4.5 reads them all, with fontTools 44 MB of them, but goes round in
blocks that insert themselves until Python gives up, and makes Bezier curves of circles.
"""
