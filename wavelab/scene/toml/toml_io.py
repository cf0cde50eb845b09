"""Scene files: load and save, parse and dump."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from wavelab.atomic import check_target, whole_file
from wavelab.errors import SceneError
from wavelab.reading import read_plain_file
from wavelab.scene.model.item_error import ItemError
from wavelab.scene.model.scene import Scene
from wavelab.scene.rules.validate import check_items, check_scene
from wavelab.scene.toml.toml_lines import deep_key, key_lines, line_of
from wavelab.scene.toml.toml_reader import Items, items_from, scene_from
from wavelab.scene.toml.toml_writer import scene_text

MAX_FILE_SIZE = 8_000_000
#: Characters of a message, of which some quote what a file says.
LONGEST_MESSAGE = 600
SUFFIXES = (".toml",)

T = TypeVar("T")


def load_scene(path: str | Path) -> Scene:
    """The scene in a file.

    Raises
    ------
    SceneError : the file cannot be read, or :func:`parse_scene` refuses it.
    """
    path = Path(os.path.abspath(path))
    try:
        content = read_plain_file(path, MAX_FILE_SIZE + 1)
        if len(content) > MAX_FILE_SIZE:
            raise SceneError(
                f"the file is larger than {MAX_FILE_SIZE / 1e6:g} MB",
                where=str(path),
                remedy="Is it a scene? Large outlines belong into a mesh file.",
            )
        text = content.decode("utf-8-sig")
    except FileNotFoundError:
        raise SceneError("there is no such file", where=str(path)) from None
    except OSError as error:
        raise SceneError(f"cannot be read: {error.strerror}", where=str(path)) from None
    except UnicodeDecodeError:
        raise SceneError(
            "the file is not a text in UTF-8",
            where=str(path),
            remedy="Is it a scene? Those end in .toml; save it as UTF-8.",
        ) from None
    return parse_scene(text.replace("\r\n", "\n"), path)


def parse_scene(text: str, path: str | Path | None = None, *, has_mesh: bool = False) -> Scene:
    """The scene that a TOML text says.

    Parameters
    ----------
    path : the file the text is from or will be saved to; it is named in messages, and mesh files
        are found beside it.
    has_mesh : as for :func:`wavelab.scene.rules.validate.check_scene`.

    Raises
    ------
    SceneError : names file, line and key, and what would be right.
    """
    path = Path(path) if path is not None else None
    shown = str(path) if path is not None else "scene"

    def scene(content: dict[str, Any]) -> Scene:
        return check_scene(scene_from(content, path), has_mesh=has_mesh)

    return _read(text, scene, shown, path)


def parse_items(text: str, shown: str, physics: str = "light") -> Items:
    """The items in a TOML text, which may be a part of a scene file; what depends on the rest of
    a scene is not checked yet.

    Parameters
    ----------
    shown : what messages call the text.
    physics : what the waves are where the text does not say it.

    Raises
    ------
    SceneError : names line and key, and what would be right.
    """
    if len(text) > MAX_FILE_SIZE:
        raise SceneError(f"more than {MAX_FILE_SIZE / 1e6:g} million characters", where=shown)

    def checked(content: dict[str, Any]) -> Items:
        items = items_from(content, physics)
        no_items = ("left_out", "physics")
        check_items(**{key: found for key, found in vars(items).items() if key not in no_items})
        return items

    return _read(text.replace("\r\n", "\n"), checked, shown, None)


def _read(text: str, make: Callable[[dict[str, Any]], T], shown: str, path: Path | None) -> T:
    if (line := deep_key(text)) is not None:
        raise SceneError(
            "a key has more dotted parts than any key of a scene",
            where=f"{shown}:{line}",
            remedy="Keys have one to three parts, as in material.epsilon.",
        )
    try:
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: also of integers of 5000 digits
        raise _syntax_error(error, shown, path) from None
    try:
        return make(content)
    except ItemError as error:
        line = line_of(error.item, key_lines(text))
        keys = ".".join(key for key in error.item if isinstance(key, str))
        where = f"{shown}:{line}: {_short(keys)}" if keys else f"{shown}:{line}"
        raise SceneError(_short(error.message), where=where, remedy=error.remedy) from None


def save_scene(scene: Scene, path: str | Path) -> None:
    """Write a scene to a file, which is replaced only when the whole text is on the disk.

    Raises
    ------
    SceneError : the scene breaks a rule.
    OutputError : the file cannot be written.
    """
    target = check_target(path, SUFFIXES)
    text = scene_text(check_scene(scene), target.parent)
    with whole_file(target, SUFFIXES) as partial:
        partial.write_text(text, encoding="utf-8", newline="\n")


def dump_scene(scene: Scene) -> str:
    """The TOML text of a scene; :func:`parse_scene` with the scene's path gives it back exactly."""
    return scene_text(scene, scene.path.parent if scene.path is not None else None)


def _short(message: str) -> str:
    """What can be read where somebody has given a name or a text without end."""
    if len(message) <= LONGEST_MESSAGE:
        return message
    kept = LONGEST_MESSAGE // 2
    return f"{message[:kept]} ... {message[-kept:]}"


def _syntax_error(error: Exception, shown: str, path: Path | None) -> SceneError:
    if isinstance(error, RecursionError):
        return SceneError("arrays are nested too deeply", where=shown)
    if not isinstance(error, tomllib.TOMLDecodeError):  # Python itself refuses it
        return SceneError("a whole number in it has thousands of digits", where=shown)
    match = re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", str(error), re.DOTALL)
    remedy = ""
    if path is not None and path.suffix.lower() not in SUFFIXES:
        remedy = f'Scenes end in .toml; of a mesh file make one with [domain] mesh = "{path.name}".'
    if match is None:  # at the end
        return SceneError(f"this is not TOML: {error}", where=shown, remedy=remedy)
    return SceneError(
        f"this is not TOML: {match[1]} at column {match[3]}",
        where=f"{shown}:{match[2]}",
        remedy=remedy,
    )
