"""What the program is and whose work it stands on."""

from __future__ import annotations

from wavelab import __version__
from wavelab.app.language.language import tr

_TEXT = """\
<h3>wavelab {version}</h3>
<p>Watch waves run, live, in any shape you draw: light, sound, long waves on water, those of
membranes and those in solids, by a nodal discontinuous Galerkin method.</p>
<p>wavelab itself is free under the MIT licence. It stands on others' work, under their own terms:
</p>
<ul>
<li>PyQt5 and Qt: GNU General Public License version 3 (PyQt5 is also sold commercially), so a
program bundled with it is under that licence as a whole</li>
<li>Triangle by J. R. Shewchuk, inside meshpy: not free for commercial use</li>
<li>NumPy, vispy, shapely, h5py, PyAV, cmap: BSD licences; PyAV carries FFmpeg under LGPL or GPL
</li>
<li>pyopencl, PoCL, meshpy, pymbolic, Mako, pyqtgraph, qtawesome, platformdirs, tomli-w: MIT
licence; tqdm: MPL and MIT</li>
<li>Phosphor icons: MIT licence; scientific colour maps by F. Crameri: MIT licence</li>
</ul>
<p>The method follows J. S. Hesthaven and T. Warburton, <i>Nodal Discontinuous Galerkin
Methods</i>, Springer 2008.</p>
"""


def about_text() -> str:
    """In the language of the window."""
    return tr(_TEXT.strip(), version=__version__)
