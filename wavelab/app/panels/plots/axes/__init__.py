"""Curves in axes: what mouse, keys and the menu do with every plot, whatever it shows."""
