"""The auxiliary equations of an absorbing layer.

Maxwell's equations in coordinates stretched by s_n = 1 + a / (i w + f) along n and by s_t = 1 + b /
(i w + f) along t are those of a medium with mu s_t / s_n, mu s_n / s_t and eps s_n s_t (Sacks,
Kingsland, Lee & Lee, *A perfectly matched anisotropic absorber for use as an absorbing boundary
condition*, 1995).  The frequency f, the CFS shift that papers call alpha (Kuzuoglu & Mittra,
*Frequency dependence of the constitutive parameters of causal perfectly matched anisotropic
absorbers*, 1996) lets the auxiliary variables decay: without it, fields that do not oscillate are
only just stable, and the errors of the discretization tip them over.  With i w = d/dt and g = a -
b:

    i w s_t / s_n = i w - g + g (a + f) / (i w + a + f)
    dHn/dt = curl + g (Hn - (a + f) Pn)         dPn/dt = Hn - (a + f) Pn
    dHt/dt = curl - g (Ht - (b + f) Pt)         dPt/dt = Ht - (b + f) Pt

    (i w + c) s_n s_t = i w + c + (a + b) + (ab + (c - f)(a + b)) / (i w + f)
                        + (c - f) ab / (i w + f)^2
    dEz/dt = curl - c Ez - (a + b) Ez - (ab + (c - f)(a + b)) Q - (c - f) ab R
    dQ/dt = Ez - f Q                             dR/dt = Q - f R

where c = sigma / eps is the loss of the medium, which the operator has already.  A magnetic one, m
= sigma_m / mu, has dH/dt = curl - m H, which the operator has not; s_t / s_n multiplies that too:

    (i w + m) s_t / s_n = i w + m - g + g (a + f - m) / (i w + a + f)
    dHn/dt = curl - m Hn + g (Hn - (a + f - m) Pn)
    dHt/dt = curl - m Ht - g (Ht - (b + f - m) Pt)
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from wavelab.arrays import Array, Indices
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.pml.pml_edges import Stretch


def layer_equations(
    elements: Indices,
    stretch: Stretch,
    cfs_shift: float,
    loss: Array,
    magnetic_loss: Array | float = 0.0,
) -> tuple[AuxiliaryEquations, ...]:
    """For elements that a layer reaches: one set where space is stretched in one direction only,
    which needs less memory, and one for the rest.

    Parameters
    ----------
    stretch : at the nodes, (n, nodes_per_element).
    cfs_shift : the frequency f, 1 / time.
    loss : (n,) or (n, nodes_per_element) sigma / eps.
    magnetic_loss : (n,) sigma_m / mu.
    """
    a, b, n_x, n_y = stretch.principal()
    c = np.broadcast_to(loss if loss.ndim == 2 else loss[:, None], a.shape)
    m = np.broadcast_to(magnetic_loss, len(elements))
    straight = (b == 0).all(axis=1)
    found = []
    for both_ways, chosen in ((False, straight), (True, ~straight)):
        if chosen.any():
            stretched = [values[chosen] for values in (a, b, n_x, n_y)]
            found.append(
                _equations(
                    elements[chosen], stretched, cfs_shift, c[chosen], m[chosen],
                    both_ways=both_ways,
                )
            )  # fmt: skip
    return tuple(found)


def _equations(
    elements: Indices, stretched: list[Array], f: float, c: Array, m: Array, *, both_ways: bool
) -> AuxiliaryEquations:
    a, b, n_x, n_y = stretched
    # What would be multiplied for every node and stage is multiplied here.
    coefficients = {
        "g": a - b, "af": a + f, "bf": b + f, "nx": n_x, "ny": n_y,
        "e0": a + b, "e1": a * b + (c - f) * (a + b), "f": np.full(a.shape, f),
    }  # fmt: skip
    along_n, along_t = "(nx*hx + ny*hy - af*pn)", "(nx*hy - ny*hx - bf*pt)"
    of_n, of_t, damped_x, damped_y = along_n, along_t, "", ""
    if m.any():
        coefficients["m"] = np.repeat(m[:, None], a.shape[1], axis=1)
        of_n, of_t = f"({along_n} + m*pn)", f"({along_t} + m*pt)"
        damped_x, damped_y = " - m*hx", " - m*hy"
    rates = {
        "hx": f"g*(nx*{of_n} + ny*{of_t}){damped_x}",
        "hy": f"g*(ny*{of_n} - nx*{of_t}){damped_y}",
        "ez": "-e0*ez - e1*q",
        "pn": along_n,
        "pt": along_t,
        "q": "ez - f*q",
    }
    if both_ways:
        coefficients["e2"] = (c - f) * a * b
        rates |= {"ez": "-e0*ez - e1*q - e2*r", "r": "q - f*r"}
    return AuxiliaryEquations.written(elements, coefficients, rates, kind="open")


def in_space(equations: AuxiliaryEquations, variables: Mapping[str, Array]) -> dict[str, Array]:
    """The variables of a layer with the vector in place of its components ``pn`` and ``pt``;
    without them, as of elastic waves, without."""
    found = dict(variables)
    if not {"pn", "pt"} <= found.keys():
        return found
    n_x, n_y = equations.coefficients["nx"], equations.coefficients["ny"]
    along_n, along_t = found.pop("pn"), found.pop("pt")
    return found | {"px": n_x * along_n - n_y * along_t, "py": n_y * along_n + n_x * along_t}


def in_layer(equations: AuxiliaryEquations, variables: Mapping[str, Array]) -> dict[str, Array]:
    """The other way round, for the directions of these equations; without the vector, without."""
    found = dict(variables)
    if not {"px", "py"} <= found.keys():
        return found
    n_x, n_y = equations.coefficients["nx"], equations.coefficients["ny"]
    p_x, p_y = found.pop("px"), found.pop("py")
    return found | {"pn": n_x * p_x + n_y * p_y, "pt": n_x * p_y - n_y * p_x}
