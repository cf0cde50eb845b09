"""Pure NumPy, double precision: reference element, mesh, metric terms, traces, time steppers.

Symbols follow Hesthaven & Warburton, *Nodal Discontinuous Galerkin Methods* (Springer 2008),
cited below as HW.
"""
