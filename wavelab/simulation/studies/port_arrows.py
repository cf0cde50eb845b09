"""Whether the arrows of ports lead into what is studied, by what went through their lines."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wavelab.arrays import Complex

#: Parts of a power that is sent: what comes in from behind a port whose arrow leads into the device
#: is less than this, being what walls beyond send back; and what comes out of all of them is more.
_FROM_BEHIND, _ANYTHING = 0.01, 1e-4


def turned_round(ports: Sequence[str], s: Complex, behind: Complex) -> list[str]:
    """What is to be said of ports whose arrows seem to lead out of the device: S is wrong then,
    and looks like that of a device that loses all.

    Parameters
    ----------
    ports : (n,) of each channel.
    s : (n_frequencies, n, n) from the channel of the column to that of the row.
    behind : the same of what goes forward through the lines.
    """
    notices = []
    for port in dict.fromkeys(ports):
        here = np.array([name == port for name in ports])
        out, come = (np.abs(part) ** 2 for part in (s, behind))
        left, came = (power[:, here][:, :, ~here].sum(axis=1) for power in (out, come))
        heard = out[:, :, here].sum(axis=1).max() + come[:, ~here][:, :, here].sum()
        if ((came > left) & (came > _FROM_BEHIND)).any():
            notices.append(
                f'the arrow of port "{port}" leads out of the device: what others send comes in '
                "from behind it; change the ends of its line"
            )
        elif heard < _ANYTHING:
            notices.append(
                f'nothing of what port "{port}" sends comes out of any: it is lost, or the arrow '
                "leads out of the device; change the ends of its line then"
            )
    return notices
