"""Drawings in SVG files: what is read, and what is not.

An own reader and no library: it is asked for outlines alone, and has to refuse with a reason what
it cannot use, where programs that show a drawing leave it out.  svgelements 1.9.6 for one returns
the part of a path before a mistake, a shape without its clip, and nothing for a radius that is no
number, all without a word, and expands copies of copies without a bound.
"""
