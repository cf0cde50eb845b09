"""The two-dimensional Maxwell TM system: equations, materials, walls, sources.

The NumPy right-hand side here is the oracle that every other implementation is held against.
"""
