"""Any state of a program as an HDF5 file, to the last bit.

A tree of numbers, texts, tuples, lists, dictionaries, arrays and objects of a few kinds.  The
dataset ``tree`` has its structure as JSON, with the numbers of the arrays, and these are the
datasets ``arrays/0``, ``arrays/1``, ...  Before all that HDF5 leaves a block free: it says what the
file is, and has a digest of the rest, so that a damaged file is known before anything makes sense
of it.  Reading runs no code of the file, as unpickling would.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavelab.atomic import whole_file
from wavelab.errors import OutputError
from wavelab.output.files.hdf5 import SUFFIXES
from wavelab.reading import read_plain_file

#: Bytes of the block before the file, the fewest that HDF5 has for it.
_HEAD = 512
_CONTAINERS = {"tuple": tuple, "list": list, "dict": dict}


def write_state(path: str | os.PathLike[str], form: str, state: Any, kinds: Sequence[type]) -> None:
    """Write a state.

    Parameters
    ----------
    form : what the file says it is.
    kinds : of the objects in it; a data class is its fields, any other its attributes.

    Raises
    ------
    OutputError : the file cannot be written there.
    TypeError : something is of another kind.
    """
    import h5py  # large, and few runs write such files

    arrays: list[NDArray[Any]] = []
    tree = json.dumps(_encoded(state, arrays, kinds))
    with whole_file(path, SUFFIXES) as partial:
        # Put together in memory, as :mod:`wavelab.output.files.hdf5` says.
        image = io.BytesIO()
        with h5py.File(image, "w", userblock_size=_HEAD) as file:
            file.create_dataset("tree", data=tree)
            for number, array in enumerate(arrays):
                file.create_dataset(f"arrays/{number}", data=array)
        content = image.getbuffer()
        content[:_HEAD] = _head(form, content[_HEAD:])
        partial.write_bytes(content)


def read_state(path: str | os.PathLike[str], form: str, kinds: Sequence[type]) -> Any:
    """What :func:`write_state` has written.

    Raises
    ------
    OutputError : there is no such file, or it is another one, cut off, damaged, or with other kinds
        of objects.
    """
    import h5py

    where = str(path)
    try:
        content = read_plain_file(Path(path))
    except OSError as error:
        raise OutputError(
            f"cannot be read: {error.strerror}", where=where, remedy=f"Name a {form}."
        ) from None
    if not content.startswith(f"{form}\n".encode()):
        raise OutputError(f"is no {form}", where=where, remedy=f"Name a {form}.")
    if content[:_HEAD] != _head(form, memoryview(content)[_HEAD:]):
        raise OutputError(
            "is cut off or damaged", where=where, remedy="Use an earlier copy, or begin anew."
        )
    with h5py.File(io.BytesIO(content)) as file:
        tree = file["tree"].asstr()[()]
        arrays = [file[f"arrays/{i}"][()] for i in range(len(file.get("arrays", ())))]
    try:
        return _decoded(json.loads(tree), arrays, {kind.__name__: kind for kind in kinds})
    except KeyError as error:
        raise OutputError(
            f"has a {error}, which this version does not know",
            where=where,
            remedy="Use the version that has written it, or begin anew.",
        ) from None


def _head(form: str, rest: memoryview) -> bytes:
    digest = hashlib.blake2b(rest, digest_size=32).hexdigest()
    return f"{form}\n{digest}\n".encode().ljust(_HEAD, b"\0")


def _encoded(value: Any, arrays: list[NDArray[Any]], kinds: Sequence[type]) -> Any:
    match value:
        case np.generic():
            return value.item()
        case None | bool() | int() | float() | str():
            return value
        case np.ndarray():
            arrays.append(value)
            return {"array": len(arrays) - 1}
        case Path():
            return {"path": str(value)}
        case dict():
            return {"dict": [_encoded(item, arrays, kinds) for item in value.items()]}
        case list() | tuple():
            inside = [_encoded(item, arrays, kinds) for item in value]
            return {"list" if isinstance(value, list) else "tuple": inside}
    if type(value) not in kinds:
        raise TypeError(f"a {type(value).__name__} is none of the kinds that a file may have")
    parts = {name: _encoded(part, arrays, kinds) for name, part in _parts(value).items()}
    return {"kind": type(value).__name__, "of": parts}


def _parts(value: Any) -> dict[str, Any]:
    if is_dataclass(value):
        return {f.name: getattr(value, f.name) for f in fields(value)}
    return vars(value)


def _decoded(value: Any, arrays: Sequence[NDArray[Any]], kinds: dict[str, type]) -> Any:
    match value:
        case {"array": number}:
            return np.asarray(arrays[number])
        case {"path": text}:
            return Path(text)
        case {"kind": name, "of": inside}:
            made: Any = object.__new__(kinds[name])
            # Past __init__ and __setattr__: the parts are those of an object that there was.
            vars(made).update(
                {name: _decoded(part, arrays, kinds) for name, part in inside.items()}
            )
            return made
        case dict():
            ((name, inside),) = value.items()
            return _CONTAINERS[name](_decoded(part, arrays, kinds) for part in inside)
    return value
