"""The report as a page of text."""

from __future__ import annotations

import json
import textwrap
from typing import Any

_WIDTH = 98
_HEADS = {
    "opencl": "OpenCL", "window": "Window", "limits": "Limits", "folders": "Folders",
    "last_errors": "Last errors",
}  # fmt: skip


def page(found: dict[str, Any]) -> str:
    """What :func:`wavelab.diagnosis.report.report` gives, in words."""
    lines = [
        f"wavelab {found['wavelab']} in {found['installed']}",
        *_lines(_system(found)),
        "",
        "Packages",
        *_lines([", ".join(f"{k} {v or 'MISSING'}" for k, v in found["packages"].items())]),
    ]
    for key, told in (
        ("opencl", _opencl), ("window", _window), ("limits", _limits), ("folders", _folders),
    ):  # fmt: skip
        part = found[key]
        problem = part.get("problem") if isinstance(part.get("problem"), str) else ""
        lines += ["", _HEADS[key], *_lines([f"PROBLEM: {problem}"] if problem else told(part))]
    lines += ["", _HEADS["last_errors"]]
    errors = found["last_errors"] or ["none are kept"]
    lines += [f"  {line}" for entry in errors for line in entry.splitlines()]
    return "\n".join(lines)


def as_json(found: dict[str, Any]) -> str:
    return json.dumps(found, indent=1, ensure_ascii=False)


def _lines(texts: list[str]) -> list[str]:
    return [
        line
        for text in texts
        for line in textwrap.wrap(
            text, _WIDTH, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False
        )
    ]


def _system(found: dict[str, Any]) -> list[str]:
    if "python" not in found:
        return [f"PROBLEM: {found.get('problem')}"]
    variables = [f"{name}={value}" for name, value in found["variables"].items()]
    return [
        f"{found['python']}, {found['executable']}",
        ", ".join(filter(None, (found["system"], found["distribution"], found["libc"]))),
        f"texts: {found['encoding']}",
        *([f"set: {', '.join(variables)}"] if variables else []),
    ]


def _opencl(found: dict[str, Any]) -> list[str]:
    if not found["devices"]:
        return ["there is no device; wavelab runs on NumPy"]
    told = []
    for d in found["devices"]:
        told.append(
            f"{d['number']} [{d['address']}] {d['name']}, {d['kind']}, {d['platform']}, "
            f"driver {d['driver']}, {d['compute_units']} units, {_bytes(d['memory'])}"
        )
        if not d["usable"]:
            told.append(f"  NOT USABLE: {d['reason']}")
        tests = d.get("self_test", {})
        told += [f"  self-test, {name}: {result}" for name, result in tests.items()]
    return told


def _window(found: dict[str, Any]) -> list[str]:
    return [
        f"Qt {found['qt']}, PyQt {found['pyqt']}, platform {found['platform']}",
        f"OpenGL: {found['opengl']}",
        f"the field is painted by the {found['painter']}",
        *(
            f"screen {s['width']} x {s['height']}, scale {s['scale']:g}, {s['dpi']:.0f} dpi, "
            f"{s['rate']:.0f} Hz"
            for s in found["screens"]
        ),
    ]


def _limits(found: dict[str, Any]) -> list[str]:
    told = [f"{found['cores']} cores, memory {_bytes(found['memory'])}"]
    told[0] += f", {_bytes(found['memory_free'])} of it free"
    if found["memory_limit"]:
        told[0] += f", at most {_bytes(found['memory_limit'])} for this group of processes"
    named = {"NOFILE": "open files", "AS": "address space", "NPROC": "processes"}
    told.append(", ".join(f"{text}: {found[key] or 'no limit'}" for key, text in named.items()))
    return told


def _folders(found: dict[str, Any]) -> list[str]:
    return [
        f"{name}: {f['path']}, "
        + (f"CANNOT BE WRITTEN: {f['problem']}" if f["problem"] else "can be written")
        + (f", {_bytes(f['free'])} free" if f["free"] is not None else "")
        for name, f in found.items()
    ]


def _bytes(count: int | None) -> str:
    if count is None:
        return "unknown"
    return f"{count / 2**30:.1f} GiB" if count >= 1 << 30 else f"{count / 2**20:.1f} MiB"
