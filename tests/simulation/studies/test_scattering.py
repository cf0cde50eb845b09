"""Scattering parameters, against what holds of every device without losses."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from wavelab.errors import WavelabError
from wavelab.output.files.touchstone import suffix_of, write_touchstone
from wavelab.scene.model.scene import Scene, Solver
from wavelab.scene.model.shapes import Polygon
from wavelab.scene.monitors import FluxMonitor, ModeMonitor
from wavelab.scene.walls import OpenWall
from wavelab.simulation.studies.scattering import Channel, ports_of, pulse, scatter

#: Both carry the modes with one and two half waves, and no third.
BAND = (1.25, 1.3)


def corner(**solver) -> Scene:
    """A sharp corner of a guide between conductors 1 apart, open at both ends."""
    outline = Polygon(((0, 0), (3.4, 0), (3.4, 3.4), (2.4, 3.4), (2.4, 1), (0, 1)))
    ends = tuple(f"domain.{outline.edge_names()[i]}" for i in (2, 5))
    return Scene(
        "corner",
        Solver(0.4, order=5, until=60.0, decayed=1e-6, precision="double", **solver),
        outline=outline,
        walls=(OpenWall(ends, 0.8),),
        monitors=(
            ModeMonitor("in", ((1.8, 0.0), (1.8, 1.0)), BAND, 2),
            FluxMonitor("no port", ((0.5, 0.1), (0.5, 0.9))),
            ModeMonitor("out", ((2.4, 1.6), (3.4, 1.6)), BAND, 2),
        ),
    )


@pytest.fixture(scope="module")
def found():
    return scatter(corner())


def test_it_is_symmetric_and_unitary_without_losses(found):
    assert found.channels == tuple(Channel(p, m) for p in ("in", "out") for m in (0, 1))
    assert found.frequencies == pytest.approx(BAND)
    for s in found.s:
        assert s == pytest.approx(s.T, abs=3e-3)
        assert s.conj().T @ s == pytest.approx(np.eye(4), abs=1e-2)
        assert np.abs(s[2:, :2]).max() > 0.3  # something passes
    assert found.accounted == pytest.approx(1.0, abs=1e-2)
    assert (found.left < 1e-6).all()


def test_both_ends_of_a_symmetric_device_are_alike(found):
    """The corner looks the same from both sides, mirrored: so do the first lobes of mode 0, and
    those of mode 1 stand the other way round at one of the lines."""
    for s in found.s:
        assert abs(s[0, 0]) == pytest.approx(abs(s[2, 2]), abs=3e-3)
        assert abs(s[1, 1]) == pytest.approx(abs(s[3, 3]), abs=3e-3)


def test_a_straight_piece_only_turns_the_phase():
    """Port to port: exp(i beta d)."""
    straight = Polygon(((0, 0), (4.4, 0), (4.4, 1), (0, 1)))
    ends = tuple(f"domain.{straight.edge_names()[i]}" for i in (1, 3))
    scene = replace(
        corner(), outline=straight, walls=(OpenWall(ends, 0.8),),
        monitors=(
            ModeMonitor("in", ((1.8, 0.0), (1.8, 1.0)), BAND),
            ModeMonitor("out", ((2.6, 1.0), (2.6, 0.0)), BAND),
        ),
    )  # fmt: skip
    beta = np.sqrt((2 * math.pi * np.array(BAND)) ** 2 - math.pi**2)
    s = scatter(scene, ["in", "out"]).s
    assert s[:, 1, 0] == pytest.approx(np.exp(0.8j * beta), abs=5e-3)
    assert np.abs(s[:, 0, 0]).max() < 1e-2


@pytest.mark.parametrize("turned", [(), (0,), (1,), (0, 1)])
def test_an_arrow_that_leads_out_of_the_device_is_told(turned):
    """Nothing of S is right then: it is that of a device that loses all."""
    straight = Polygon(((0, 0), (4.4, 0), (4.4, 1), (0, 1)))
    lines = [((1.8, 0.0), (1.8, 1.0)), ((2.6, 1.0), (2.6, 0.0))]
    for number in turned:
        lines[number] = lines[number][::-1]
    scene = Scene(
        "straight",
        Solver(0.5, order=4, until=60.0),
        outline=straight,
        walls=(OpenWall(("domain.1", "domain.3"), 0.8),),
        monitors=tuple(
            ModeMonitor(name, line, (0.8,)) for name, line in zip(("in", "out"), lines, strict=True)
        ),
    )
    told = [text for text in scatter(scene).notices if "arrow" in text]
    assert len(told) == len(turned)
    for text, number in zip(told, turned, strict=True):
        assert f'port "{("in", "out")[number]}"' in text


def test_a_pulse_has_all_of_its_band():
    for low, high in ((1.0, 1.0), (1.0, 1.02), (0.7, 1.4)):
        wave = pulse(low, high)
        t = np.linspace(0, 2 * wave.delay, 20001)
        values = wave.function()(t)
        of = [abs(np.trapezoid(values * np.exp(2j * np.pi * f * t), t))
              for f in (low, (low + high) / 2, high)]  # fmt: skip
        assert min(of) > 0.25 * max(of)


def test_what_has_no_ports_is_refused():
    scene = corner()
    with pytest.raises(WavelabError, match="no ports"):
        ports_of(replace(scene, monitors=scene.monitors[1:2]))
    with pytest.raises(WavelabError, match='no port "of"'):
        ports_of(scene, ["of"])
    other = replace(scene.monitors[2], frequencies=(1.2,))
    with pytest.raises(WavelabError, match="other frequencies"):
        ports_of(replace(scene, monitors=(*scene.monitors[:2], other)))
    assert [port.name for port in ports_of(scene, ["out"])] == ["out"]


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_a_touchstone_file_has_the_matrix_in_the_order_of_its_format(tmp_path, n):
    rng = np.random.default_rng(n)
    frequencies = np.array([1.0, 1.5])
    s = rng.normal(size=(2, n, n)) + 1j * rng.normal(size=(2, n, n))
    path = tmp_path / f"s{suffix_of(n)}"
    write_touchstone(path, frequencies, s, ["1: in, mode 0"])
    remark, options, *lines = path.read_text().splitlines()
    assert (remark, options) == ("! 1: in, mode 0", "# HZ S RI R 1")
    assert max(len(line.split()) for line in lines) <= 9
    numbers = np.array(" ".join(lines).split(), float).reshape(2, 1 + 2 * n * n)
    assert numbers[:, 0] == pytest.approx(frequencies)
    values = (numbers[:, 1::2] + 1j * numbers[:, 2::2]).reshape(2, n, n)
    assert values == pytest.approx(s.transpose(0, 2, 1) if n == 2 else s, rel=1e-8)
