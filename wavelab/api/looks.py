"""How pictures and movies of a simulation look."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from wavelab.api.given import count, typed_fields
from wavelab.errors import WavelabError
from wavelab.output.palette import palette_info
from wavelab.scene.model.item_error import require_one_of
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.view import View
from wavelab.scene.systems import system_of
from wavelab.scene.view.quantities import names_of
from wavelab.scene.view.view_rules import check_view
from wavelab.simulation.views.views import suited_palette

#: Longer side of a movie that is to be looked at in a notebook.
_INLINE = 640


def chosen_view(scene: Scene, quantity: str | None, look: dict[str, Any]) -> View:
    """The view of a scene with something else in it.

    Raises
    ------
    WavelabError : there is no such key, or it cannot be so.
    """
    wished = typed_fields(View, "view", {"quantity": quantity, **look})
    if "quantity" in wished:
        known = names_of(system_of(scene))
        require_one_of(wished["quantity"], known, ("view", "quantity"), "quantity")
        wished["quantity"] = known[wished["quantity"]]
    shown = wished.get("quantity", scene.view.quantity)
    wished.setdefault("palette", suited_palette(shown, scene.view.palette))
    chosen = replace(scene.view, **wished)
    check_view(chosen, scene.monitors, system_of(scene))
    palette_info(chosen.palette)
    return chosen


def pixels(size: tuple[int, int] | None) -> tuple[int, int] | None:
    """A size of (width, height) pixels.

    Raises
    ------
    WavelabError : it is none.
    """
    if size is None:
        return None
    if np.shape(size) != (2,):
        raise WavelabError(f"{size!r} is no size", remedy="Give (width, height) in pixels.")
    width, height = (count(side, "pixels", 1) for side in size)
    return width, height


def inline_pixels(part: ArrayLike) -> tuple[int, int]:
    """The size for a notebook, in the shape of the box around points (n, 2)."""
    across, up = np.ptp(np.asarray(part, np.float64), axis=0).tolist()
    scale = _INLINE / max(across, up)
    return max(2, round(across * scale)), max(2, round(up * scale))
