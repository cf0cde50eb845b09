"""Fluids among solids: what flows bears no shear."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from wavelab.physics.operator.elastic import ElasticPSV
from wavelab.physics.operator.fields import ElasticFields, Fields
from wavelab.physics.operator.operator import Operator

#: Part of the largest stress that is only rounding.
_ROUNDING = 1e-9


def flowing(operator: Operator, fields: Fields) -> Fields:
    """Fields for an operator, whatever they were made for: without the shear stress in its fluids,
    which would push there for ever, as nothing in their equations takes it away.

    Of sxx and syy the mean is left.
    """
    if not isinstance(operator, ElasticPSV):
        return fields
    assert isinstance(fields, ElasticFields)
    fluid = np.flatnonzero(operator.mu == 0)
    if not (fields.part("differ", fluid).any() or fields.sxy[fluid].any()):
        return fields
    found = replace(fields, sxx=fields.sxx.copy(), syy=fields.syy.copy(), sxy=fields.sxy.copy())
    found.sxx[fluid] = found.syy[fluid] = fields.part("mean", fluid)
    found.sxy[fluid] = 0.0
    return found


def shear_notices(operator: Operator, fields: Fields) -> Iterator[str]:
    """That a scene begins with shear in a fluid.

    Parameters
    ----------
    fields : as the scene says them.
    """
    kept = flowing(operator, fields)
    if kept is fields:
        return
    off = max(np.abs(getattr(kept, name) - getattr(fields, name)).max() for name in _STRESSES)
    if off > _ROUNDING * max(np.abs(getattr(fields, name)).max() for name in _STRESSES):
        yield (
            "the initial stress shears a fluid, which bears none: sxx and syy are their mean "
            "there, and sxy is 0"
        )


_STRESSES = ("sxx", "syy", "sxy")
