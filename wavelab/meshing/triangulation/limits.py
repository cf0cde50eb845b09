"""How much a mesh may cost."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class MeshLimits:
    """Beyond these a mesh is refused, or its child process stopped.

    Attributes
    ----------
    max_elements : refused before the start if more are predicted, and after it if more came out.
    seconds : processor time of the child process (by the clock where the system cannot limit it).
    memory_bytes : address space of the child process (where the system can limit it).
    """

    max_elements: int = 2_000_000
    seconds: float = 60.0
    memory_bytes: int = 4 << 30
