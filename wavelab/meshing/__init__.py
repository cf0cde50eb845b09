"""Polygons to triangles, and mesh files.

Kept free of imports: the meshing child process starts here, and must start fast.
"""
