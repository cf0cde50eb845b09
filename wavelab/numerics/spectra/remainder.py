"""What a sum that converges will still get, from what it got lately.

A linear system that is left alone rings in modes, so what its sums over equal times get is a sum of
geometric series, one for each mode.  Dynamic mode decomposition (Schmid, *Journal of Fluid
Mechanics* 656, 2010) finds their factors from as many samples as there are modes, and the
series say how they end.
"""

from __future__ import annotations

import numpy as np

from wavelab.arrays import Complex

#: Singular values below this part of the largest are taken for noise.
_NOISE = 0.01
#: A mode that would not fall is taken to fall by this from time to time.
_SLOWEST = 0.99


def remainder(increments: Complex) -> Complex:
    """All that is to come after the last of these.

    Parameters
    ----------
    increments : (m, n) what n sums got in each of m equal times, m at least 2.

    Returns
    -------
    (n,); 0 if nothing has come.
    """
    before, after = increments[:-1].T, increments[1:].T
    u, s, vh = np.linalg.svd(before, full_matrices=False)
    if not len(s) or s[0] == 0:
        return np.zeros(increments.shape[1], np.complex128)
    rank = int((s > _NOISE * s[0]).sum())
    u, s, vh = u[:, :rank], s[:rank], vh[:rank]
    factors, modes = np.linalg.eig(u.conj().T @ after @ vh.conj().T / s)
    factors = factors * np.minimum(1, _SLOWEST / np.maximum(abs(factors), _SLOWEST))
    strengths, *_ = np.linalg.lstsq(modes, u.conj().T @ increments[-1], rcond=None)
    return u @ (modes @ (factors / (1 - factors) * strengths))
