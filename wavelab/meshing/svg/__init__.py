"""Drawings in SVG files as geometry: what is read, and what is not.

An own reader and no library: it is asked for outlines alone, and has to refuse with a reason what
it cannot use, where programs that show a drawing leave it out.
"""
