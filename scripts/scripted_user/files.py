"""Files to open: good ones, broken ones, and scenes in which one thing is another than it was."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from random import Random

from wavelab.paths import MESHES, SCENES

_BOX = '[domain]\nshape = "polygon"\nvertices = {}\n[solver]\nelement_size = 0.2\n'
_GOOD = _BOX.format("[[0, 0], [1, 0], [1, 1], [0, 1]]")
_SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">{}</svg>'

#: Name -> what stands in it.
BROKEN: dict[str, str | bytes] = {
    "empty.toml": "",
    "bytes.toml": bytes(range(256)) * 8,
    "words.toml": "this is no scene\n",
    "nan.toml": _BOX.format("[[0, 0], [nan, 0], [1, 1]]"),
    "infinite.toml": _BOX.format("[[0, 0], [inf, 0], [1, 1]]"),
    "crossing.toml": _BOX.format("[[0, 0], [1, 1], [1, 0], [0, 1]]"),
    "line.toml": _BOX.format("[[0, 0], [1, 0], [2, 0]]"),
    "two points.toml": _BOX.format("[[0, 0], [1, 0]]"),
    "nothing.toml": _BOX.format("[]"),
    "texts.toml": _BOX.format('"all of them"'),
    "close.toml": _BOX.format("[[0, 0], [1, 0], [1, 1e-9], [1, 1], [0, 1]]"),
    "huge.toml": _BOX.format("[[0, 0], [1e300, 0], [1e300, 1e300]]"),
    "tiny.toml": _BOX.format("[[0, 0], [1e-9, 0], [0, 1e-9]]"),
    "fine.toml": _GOOD.replace("0.2", "1e-7"),
    "coarse.toml": _GOOD.replace("0.2", "1e9"),
    "order.toml": _GOOD + "order = 99\n",
    "formula.toml": _GOOD + '[initial]\nez = "' + "(" * 5000 + "x" + ")" * 5000 + '"\n',
    "power.toml": _GOOD + '[initial]\nez = "2**(10**8)"\n',
    "code.toml": _GOOD + "[initial]\nez = \"__import__('os').getcwd()\"\n",
    "poles.toml": _GOOD + '[initial]\nez = "1/(x - 0.5)"\n',
    "twice.toml": _GOOD + "[solver]\norder = 2\n",
    "no mesh.toml": '[domain]\nmesh = "not there.msh"\n',
    "hole.toml": _GOOD + '[[holes]]\nname = "h"\nshape = "rectangle"\nlower = [-1, -1]\n'
    "upper = [2, 2]\n",
    "<b>bold & more.toml": _GOOD,
    "empty.msh": "",
    "words.msh": "$MeshFormat\nfour\n$EndMeshFormat\n",
    "bytes.msh": b"$MeshFormat\n4.1 1 8\n" + bytes(range(256)),
    "words.neu": "CONTROL INFO 2.0.0\n** GAMBIT NEUTRAL FILE\n",
    "bytes.neu": bytes(range(255, -1, -1)) * 4,
    "words.node": "4 2 0 0\n1 0 0\n",
    "words.poly": "many 2 0 1\n",
    "words.svg": "<svg",
    "nothing.svg": _SVG.format(""),
    "text.svg": _SVG.format("<text>W</text>"),
    "open.svg": _SVG.format('<path d="M 0 0 L 5 5" fill="none"/>'),
    "arc.svg": _SVG.format('<path d="M 0 0 A 0 0 1 0 1"/>'),
    "good.svg": _SVG.format('<rect width="9" height="9"/><circle cx="4" cy="4" r="2"/>'),
    "good.toml": _GOOD,
    "picture.png": b"\x89PNG\r\n",
    "unknown.xyz": "1 2 3\n",
}
_NUMBER = re.compile(r"(?<![\w.\"])-?\d+(\.\d+)?(e-?\d+)?(?![\w.])")
_OTHERS = ("0", "-1", "1e-12", "1e12", "nan", "inf", "true", '"x"', "[]", "[1, 2]", "0.5", "3")


class Files:
    """In ``folder``; ``more`` is a folder with others that are opened too."""

    def __init__(self, folder: Path, more: Path | None = None) -> None:
        self.folder = folder
        self._written = 0
        for name, text in BROKEN.items():
            data = text if isinstance(text, bytes) else text.encode()
            (folder / name).write_bytes(data)
        (folder / "folder.toml").mkdir()
        self._broken = [folder / name for name in BROKEN]
        self._broken += [folder / "folder.toml", folder / "not there.toml", folder]
        self._scenes = sorted(SCENES.glob("*.toml"))
        # Copies: what is opened may be saved, too.
        self._good = self._scenes + _copies(MESHES, folder / "meshes")
        self._more = _copies(more, folder / "more") if more is not None else []

    def to_open(self, r: Random) -> Path:
        kind = r.random()
        if self._more and kind < 0.3:
            return r.choice(self._more)
        if kind < 0.5:
            return r.choice(self._broken)
        return self._changed(r) if kind < 0.75 else r.choice(self._good)

    def to_write(self, r: Random) -> Path:
        """A name that may be taken, of any kind; now and then one that cannot be."""
        stem = r.choice("abcdefgh")
        suffix = r.choice(
            (".toml", ".png", ".mp4", ".webm", ".gif", ".csv", ".vtu", ".h5", "", ".xyz")
        )
        places = 8 * [self.folder] + [
            self.folder / "nowhere",
            Path("/proc"),
            self.folder / "empty.msh",
        ]
        return r.choice(places) / (stem + suffix)

    def _changed(self, r: Random) -> Path:
        """A shipped scene with one number or one line another."""
        scene = r.choice(self._scenes)
        text = scene.read_text(encoding="utf-8")
        if r.random() < 0.7 and (numbers := list(_NUMBER.finditer(text))):
            at = r.choice(numbers)
            new = r.choice(_OTHERS) if r.random() < 0.5 else _scaled(at[0], r)
            text = text[: at.start()] + new + text[at.end() :]
        else:
            lines = text.splitlines(keepends=True)
            row = r.randrange(len(lines))
            lines[row : row + 1] = r.choice(
                ([], 2 * [lines[row]], [lines[row][: len(lines[row]) // 2]])
            )
            text = "".join(lines)
        self._written += 1
        path = self.folder / f"{scene.stem}_{self._written % 20}.toml"
        path.write_text(text, encoding="utf-8")
        return path


def _copies(of: Path, folder: Path) -> list[Path]:
    folder.mkdir()
    found = sorted(path for path in of.iterdir() if path.is_file() and path.suffix != ".md")
    return [Path(shutil.copyfile(path, folder / path.name)) for path in found]


def _scaled(number: str, r: Random) -> str:
    return f"{float(number) * r.choice((-1, 0.1, 0.5, 0.9, 1.1, 2, 10)):g}"
