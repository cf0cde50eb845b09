"""Scene files that tests of several rooms begin with."""

from __future__ import annotations

Place = tuple[float, float]


def boxed(title: str, rest: str) -> str:
    """The text of a scene file whose domain is the unit square."""
    return f'''title = "{title}"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 1]
{rest}'''


def shaken(couple: Place, force: Place, explosion: Place) -> str:
    """One source of solids of each kind, at these places."""
    return f"""
[[sources]]
kind = "double_couple"
position = {list(couple)}
radius = 0.1
amplitude = 3
direction = 30
waveform = {{ kind = "ricker", frequency = 2, delay = 0.2 }}
[[sources]]
kind = "force"
position = {list(force)}
radius = 0.1
amplitude = 2
direction = -70
waveform = {{ kind = "sine", frequency = 2 }}
[[sources]]
kind = "explosion"
position = {list(explosion)}
radius = 0.1
amplitude = 4
waveform = {{ kind = "ricker", frequency = 2, delay = 0.2 }}
"""
