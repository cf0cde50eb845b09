"""Figures for papers: fields and curves with axes, as PDF, SVG or PNG, and the numbers behind them.

A figure is a list of a few drawing instructions (:mod:`wavelab.output.figures.drawing`), which each
of the three writers turns into its format: lines and letters stay lines and letters.
"""
