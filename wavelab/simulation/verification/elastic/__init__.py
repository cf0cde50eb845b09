"""Elastic waves with exact answers."""

from wavelab.simulation.verification.elastic.boxes import entering_waves, plane_waves, slip_box
from wavelab.simulation.verification.elastic.buried import garvin
from wavelab.simulation.verification.elastic.disk import breathing_disk
from wavelab.simulation.verification.elastic.edge_waves import rayleigh, scholte
from wavelab.simulation.verification.elastic.graded import graded_waves
from wavelab.simulation.verification.elastic.scattering import border, free_edge

__all__ = [
    "border",
    "breathing_disk",
    "entering_waves",
    "free_edge",
    "garvin",
    "graded_waves",
    "plane_waves",
    "rayleigh",
    "scholte",
    "slip_box",
]
