"""Experiments, from files or made by a program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from wavelab.api.given import typed_fields
from wavelab.api.tables import function_at, plain, typed
from wavelab.api.telling import warn
from wavelab.errors import SceneError
from wavelab.meshing.geometry_files import open_scene
from wavelab.scene.editing import settings
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model import scene as model
from wavelab.scene.model.ending import UNTIL_DECAYED
from wavelab.scene.model.item_error import ItemError
from wavelab.scene.model.overrides import check_meshes_itself, with_solver
from wavelab.scene.model.sending.waveform import Waveform
from wavelab.scene.model.shapes import SHAPES
from wavelab.scene.rules.validate import check_scene
from wavelab.scene.shelf import scene_path
from wavelab.scene.toml.toml_io import dump_scene, parse_scene, save_scene
from wavelab.scene.toml.toml_reader import scene_from

#: What a repr counts.
_COUNTED = ("holes", "materials", "walls", "sources", "probes", "pings", "monitors")


class Scene:
    """One experiment: geometry, media, walls, sources, what is measured, and how it is computed.

    The tables are those of a scene file, by their names and with their keys (docs/scene_format.md):
    a table is a dictionary, an array of tables a list of dictionaries.  Where a file has numbers,
    there can be numbers and arrays; where it has formulas, formulas in a text.  In materials,
    ``background``, ``initial`` and ``exact`` also a function of arrays x, y (and t, for ``exact``)
    can stand in the place of a formula, and :func:`waveform` makes waveforms of numbers.

    A scene never changes: :meth:`with_` gives another one.  Files are named from where the program
    runs.

    Parameters
    ----------
    title : what it is called.
    tables : ``domain``, ``solver``, ``holes``, ``materials``, ``background``, ``walls``,
        ``sources``, ``probes``, ``monitors``, ``pings``, ``initial``, ``imaginary``, ``exact``,
        ``parameters``, ``physics``, ``view``, ``labels``, ``description`` and ``notes``.

    Raises
    ------
    SceneError : a key is missing or unknown, or a value cannot be; names it, and what would be
        right.

    Examples
    --------
    >>> room = wavelab.Scene(
    ...     "A room",
    ...     domain={"shape": "rectangle", "lower": [0, 0], "upper": [2, 1]},
    ...     background={"epsilon": lambda x, y: 1 + x**2},
    ...     initial={"ez": "exp(-((x - 1)^2 + (y - 0.5)^2) / 0.01)"},
    ...     solver={"element_size": 0.1, "order": 4, "until": 3},
    ... )
    """

    def __init__(self, title: str = "Untitled", **tables: Any) -> None:
        try:
            content = plain({"title": title, **tables})
            self._model = check_scene(scene_from(content, None))
        except ItemError as error:
            raise _placed(error, str(title)) from None

    @classmethod
    def load(cls, name: str | Path) -> Scene:
        """The scene in a file (.toml), of a drawing (.svg), or the shipped one of that name.

        Raises
        ------
        SceneError, GeometryError : there is none, or it cannot be used.
        """
        return cls.of(open_scene(scene_path(str(name)), warn))

    @classmethod
    def from_toml(cls, text: str, path: str | Path | None = None) -> Scene:
        """The scene that the text of a scene file says.

        Parameters
        ----------
        path : where such a file would be, so that files it names are found beside it.

        Raises
        ------
        SceneError : names line and key, and what would be right.
        """
        return cls.of(parse_scene(text, path))

    @classmethod
    def of(cls, scene: Scene | model.Scene | str | Path) -> Scene:
        """A scene from what stands for one: itself, its plain data, or as for :meth:`load`."""
        if isinstance(scene, cls):
            return scene
        if isinstance(scene, str | Path):
            return cls.load(scene)
        if not isinstance(scene, model.Scene):
            raise SceneError(
                f"{type(scene).__name__} is no scene",
                remedy="Give a wavelab.Scene, the name of a file, or that of a shipped scene.",
            )
        made = object.__new__(cls)
        made._model = scene
        return made

    def solved(self, **solver: Any) -> Scene:
        """The scene with other values in its solver, those that are None left as they are:
        ``solved(order=5, until=2)``; ``until`` may be "decayed", as in a file.

        Raises
        ------
        SceneError : there is no such key, or it cannot be that.
        """
        try:
            word = {k: v for k, v in solver.items() if (k, v) == ("until", UNTIL_DECAYED)}
            rest = {k: v for k, v in solver.items() if k not in word}
            values = typed_fields(model.Solver, "solver", rest) | word
            if "element_size" in values:
                check_meshes_itself(self._model, "element_size")
            return Scene.of(check_scene(with_solver(self._model, **values)))
        except ItemError as error:
            raise _placed(error, self._model.where) from None

    @property
    def model(self) -> model.Scene:
        """The same as the plain frozen data of :mod:`wavelab.scene.model.scene`."""
        return self._model

    @property
    def title(self) -> str:
        """What it is called."""
        return self._model.title

    @property
    def parameters(self) -> dict[str, float]:
        """The values of its parameters, by their names."""
        return self._model.values

    def with_(self, name: str | None = None, value: Any = None, /, **values: Any) -> Scene:
        """The scene with something else in it: ``with_("materials.rod.epsilon", 4)``, or several
        at once: ``with_(**{"solver.order": 5, "d": 0.4})``.

        Parameters
        ----------
        name : of a parameter, or a table, the name or number (from 1) of an item where there are
            several, and a key, as for ``--set`` of the command line.
        value : a number, a text as it would be typed, a list of numbers, or a function or a
            waveform where there can be one.

        Raises
        ------
        SceneError : there is nothing of that name, with what there is, or it cannot have that
            value.
        """
        if name is not None:
            values = {name: value, **values}
        scene = self._model
        try:
            parts = {n: v for n, v in values.items() if _is_part(v)}
            texts = [(n, typed(v, n)) for n, v in values.items() if n not in parts]
            scene = settings.with_settings(scene, texts)
            for n, part in parts.items():
                if not isinstance(part, Formula | Waveform):
                    part = function_at(part, _place(n))
                scene = settings.with_part(scene, n, part)
        except ItemError as error:
            raise _placed(error, scene.where) from None
        return Scene.of(scene)

    def to_toml(self) -> str:
        """The text of a scene file that says the same.

        Raises
        ------
        SceneError : it has a function or samples in it, which no file can hold.
        """
        return dump_scene(self._model)

    def save(self, path: str | Path) -> None:
        """Write it to a scene file (.toml).

        Raises
        ------
        SceneError : as for :meth:`to_toml`.
        OutputError : the file cannot be written.
        """
        save_scene(self._model, path)

    def __eq__(self, other: object) -> bool:
        return self._model == other._model if isinstance(other, Scene) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._model)

    def __repr__(self) -> str:
        scene, solver = self._model, self._model.solver
        parts = [_domain_in_words(scene)]
        for key in _COUNTED:
            if count := len(getattr(scene, key)):
                parts.append(f"{count} {key if count > 1 else key.removesuffix('s')}")
        size = f"elements of {solver.element_size:g}, " if scene.outline is not None else ""
        parts.append(f"{size}order {solver.order}, until {solver.until:g}")
        parts += [f"{name} = {value:g}" for name, value in self.parameters.items()]
        return f'<Scene "{scene.title}": {"; ".join(parts)}>'


def _domain_in_words(scene: model.Scene) -> str:
    if scene.outline is None:
        return f"mesh {scene.mesh_file}"
    (x0, y0), (x1, y1) = scene.outline.bounds()
    kind = next(name for name, kind in SHAPES.items() if type(scene.outline) is kind)
    return f"{kind} {x1 - x0:g} x {y1 - y0:g}"


def _is_part(value: Any) -> bool:
    return callable(value) or isinstance(value, Formula | Waveform)


def _place(name: str) -> tuple[str, ...]:
    """Table and key of a name; names of items between them may have dots."""
    return name.partition(".")[0], name.rpartition(".")[2]


def _placed(error: ItemError, where: str) -> SceneError:
    """With the keys and numbers (from 1) that lead to the item."""
    keys = ".".join(str(k + 1) if isinstance(k, int) else k for k in error.item)
    return SceneError(
        error.message, where=f"{where}: {keys}" if keys else where, remedy=error.remedy
    )
