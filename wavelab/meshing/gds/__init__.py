"""Layouts of chips in GDSII files: what is read, and what is not.

An own reader and no library: the format is a list of records, of which a dozen say where shapes
are.  gdstk 1.0.2 reads it in C++ within this process, which a damaged file can take along, and
KLayout's module has 107 MB.  Neither says how many shapes arrays of arrays would make before it
makes them.
"""
