"""Frames, and what a far run says of itself, as messages."""

from __future__ import annotations

from typing import Any

import numpy as np

from wavelab.errors import MeshError
from wavelab.numerics.mesh.curves import Curve, EllipseCurve, FacePolynomials
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.simulation.messages.frames import Frame, ProbeSamples
from wavelab.simulation.watching.wire import Arrays, LinkError

_NUMBERS = ("time", "dt", "steps_per_second", "energy")


def frame_message(frame: Frame | None) -> tuple[dict[str, Any], Arrays]:
    """A frame, or that there is none yet."""
    if frame is None:
        return {"frame": None}, ()
    told: dict[str, Any] = {name: float(getattr(frame, name)) for name in _NUMBERS}
    told |= {"quantity": frame.quantity, "steps": frame.steps, "playing": frame.playing}
    told |= {"series": frame.probes.series, "names": list(frame.probes.names)}
    return {"frame": told}, (frame.values, frame.probes.times, frame.probes.values)


def frame_of(message: dict[str, Any], arrays: Arrays, generation: int) -> Frame | None:
    """
    Parameters
    ----------
    generation : that the frame is to have.

    Raises
    ------
    LinkError : it is no frame.
    """
    told = message.get("frame")
    if told is None:
        return None
    try:
        values, times, sampled = arrays
        names = tuple(map(str, told["names"]))
        if values.ndim != 2 or times.ndim != 1 or sampled.shape != (len(times), len(names)):
            raise ValueError
        time, dt, steps_per_second, energy = (float(told[name]) for name in _NUMBERS)
        return Frame(
            generation,
            str(told["quantity"]),
            np.asarray(values, np.float32),
            time=time,
            dt=dt,
            steps_per_second=steps_per_second,
            energy=energy,
            steps=int(told["steps"]),
            playing=bool(told["playing"]),
            probes=ProbeSamples(
                int(told["series"]), names, times.astype(np.float64), sampled.astype(np.float64)
            ),
        )
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise LinkError("what came is no frame") from error


def hello_message(scene: str, mesh: Mesh, facts: dict[str, Any]) -> tuple[dict[str, Any], Arrays]:
    """What a run is.

    Parameters
    ----------
    scene : its text.
    facts : what else there is to know, as JSON has it.
    """
    curves = [
        [*curve.center, *curve.radii, curve.angle]
        if isinstance(curve, EllipseCurve)
        else {"nodes": curve.nodes.tolist()}
        for curve in mesh.curves
    ]
    told = {"regions": mesh.region_names, "faces": mesh.face_names, "curves": curves}
    bent = np.zeros((0, 3), np.int32) if mesh.face_curves is None else mesh.face_curves
    arrays = mesh.vertices, mesh.triangles, mesh.regions, mesh.face_tags, bent
    return {"scene": scene, "mesh": told, "facts": facts}, arrays


def _curve(told: Any) -> Curve:
    """
    Raises
    ------
    ValueError, TypeError, KeyError : it is none.
    """
    if isinstance(told, dict):
        nodes = np.array(told["nodes"], np.float64)
        if nodes.ndim != 3 or nodes.shape[1] < 2 or nodes.shape[2] != 2:
            raise ValueError("no curves of faces")
        return FacePolynomials(nodes)
    x, y, a, b, angle = map(float, told)
    return EllipseCurve((x, y), (a, b), angle)


def mesh_of(message: dict[str, Any], arrays: Arrays) -> Mesh:
    """The mesh of a run.

    Raises
    ------
    LinkError : it is none.
    """
    try:
        told = message["mesh"]
        vertices, triangles, regions, tags, bent = arrays
        curves = [_curve(numbers) for numbers in told["curves"]]
        n = len(triangles)
        if regions.shape != (n,) or tags.shape != (n, 3) or bent.shape not in ((n, 3), (0, 3)):
            raise ValueError
        for numbers, most in (
            (regions, len(told["regions"])), (tags, len(told["faces"])), (bent, len(curves))
        ):  # fmt: skip
            if numbers.size and not -1 <= numbers.min() <= numbers.max() < most:
                raise ValueError
        return Mesh(
            np.array(vertices, np.float64).reshape(-1, 2),
            np.array(triangles, np.int32).reshape(-1, 3),
            np.array(regions, np.int32),
            tuple(map(str, told["regions"])),
            np.array(tags, np.int32),
            tuple(map(str, told["faces"])),
            tuple(curves),
            np.array(bent, np.int32) if len(bent) else None,
        ).checked()
    except (KeyError, TypeError, ValueError, OverflowError, MeshError) as error:
        raise LinkError("what came is no mesh") from error
