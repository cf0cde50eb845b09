"""Somebody who uses the window at random, with mouse and keys, while it is watched."""
