"""Things that are no error but that a user should hear about."""

from __future__ import annotations

import warnings

#: In what is said of an element that is much smaller than the others.
TINY = "times smaller than the element size"


class MeshWarning(UserWarning):
    """The mesh is right, but something was repaired, merged, dropped or looks forgotten.

    Issued with :func:`notice` by everything in this package; a
    :class:`~wavelab.meshing.job.MeshJob` collects those of its child process in ``notices``.
    """


def notice(text: str) -> None:
    """Issue a :class:`MeshWarning` on behalf of what has called the caller."""
    warnings.warn(text, MeshWarning, stacklevel=3)
