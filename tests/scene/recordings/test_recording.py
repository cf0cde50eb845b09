"""WAV and CSV files are read as what they say, and refused with a reason."""

from __future__ import annotations

import struct
import wave

import numpy as np
import pytest

from wavelab.errors import SceneError
from wavelab.numerics.time.runge_kutta import SCHEMES
from wavelab.scene.recordings.recording import recording_in
from wavelab.scene.recordings.spline import Spline, evenly_spaced, fast_length

RATE = 8000
TONE = 0.7 * np.sin(2 * np.pi * 440 * np.arange(400) / RATE)


def riff(data: bytes, bits: int, kind: int = 1, channels: int = 1, rate: int = RATE) -> bytes:
    frame = channels * bits // 8
    head = struct.pack("<HHIIHH", kind, channels, rate, rate * frame, frame, bits)
    chunks = b"LIST" + struct.pack("<I", 3) + b"abc\0"
    chunks += b"fmt " + struct.pack("<I", len(head)) + head
    chunks += b"data" + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", 4 + len(chunks)) + b"WAVE" + chunks


def whole(bits: int) -> bytes:
    numbers = np.round(TONE * 2 ** (bits - 1)).astype(np.int64)
    if bits == 8:
        return (numbers + 128).astype(np.uint8).tobytes()
    return b"".join(int(n).to_bytes(bits // 8, "little", signed=True) for n in numbers)


@pytest.mark.parametrize(
    ("content", "error"),
    [
        *((riff(whole(bits), bits), 2.0**-bits) for bits in (8, 16, 24, 32)),
        (riff(TONE.astype("<f4").tobytes(), 32, 3), 1e-7),
        (riff(TONE.tobytes(), 64, 3), 0.0),
    ],
    ids=["8", "16", "24", "32", "float", "double"],
)
def test_a_wav_of_any_depth_is_its_samples(tmp_path, content, error):
    (tmp_path / "tone.wav").write_bytes(content)
    found = recording_in(tmp_path / "tone.wav", "")
    assert found.spacing == 1 / RATE
    assert np.abs(found.values - TONE).max() <= error


def test_channels_are_one_by_one_or_their_mean(tmp_path):
    path = tmp_path / "pair.wav"
    pair = np.stack([np.round(TONE * 2**15), np.zeros(400)], axis=1).astype("<i2")
    with wave.open(str(path), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(pair.tobytes())
    left = recording_in(path, "1").values
    assert np.abs(left - TONE).max() < 2.0**-16
    assert np.array_equal(recording_in(path, "").values, left / 2)
    with pytest.raises(SceneError, match="is silent"):
        recording_in(path, "2")
    with pytest.raises(SceneError, match='no channel "3"') as caught:
        recording_in(path, "3")
    assert "channels 1 to 2" in caught.value.remedy


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("0,1\n1,2\n2,3\n3,4\n", "", [1, 2, 3, 4]),
        ("\ufefft;a;b\n0,5;1,5;-1\n1,0;2,5;-2\n1,5;3,5;-3\n2,0;4,5;-4\n", "b", [-1, -2, -3, -4]),
        ("# by hand\ntime\tvolts\n0\t1e0\n1\t2\n2\t3,5\n\n3\t4\n", "volts", [1, 2, 3.5, 4]),
        ("0 5 1\n1 5 2\n2 5 3\n3 5 4\n", "3", [1, 2, 3, 4]),
        ('"t","v"\n"0","1"\n"1","2"\n"2","3"\n"3","4"\n', "", [1, 2, 3, 4]),
    ],
    ids=["commas", "semicolons", "tabs", "spaces", "quotes"],
)
def test_a_table_is_read_as_it_is_meant(tmp_path, text, column, expected):
    (tmp_path / "table.csv").write_text(text, encoding="utf-8")
    found = recording_in(tmp_path / "table.csv", column)
    assert found.values.tolist() == expected
    assert found.spacing == pytest.approx(0.5 if ";" in text else 1.0, rel=1e-12)


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.wav", b"", "is no WAV file"),
        ("a.wav", b"RIFF\0\0\0\0WAVE", "cut off"),
        ("a.wav", riff(b"\1" * 40, 4), "4 bits"),
        ("a.wav", riff(b"\1" * 40, 16, kind=85), "format 85"),
        ("a.wav", riff(b"\1" * 40, 16, channels=0), "0 channels"),
        ("a.wav", riff(b"\1" * 40, 16, rate=0), "0 samples in a second"),
        ("a.wav", riff(b"", 16), "has 0 samples"),
        ("a.wav", riff(np.full(9, np.nan, "<f4").tobytes(), 32, 3), "not finite, first at 0 s"),
        ("a.wav", riff(bytes(400), 16), "is silent"),
        ("a.mp3", b"ID3", "no recording by its ending"),
        ("a.csv", b"", "no rows of numbers"),
        ("a.csv", b"a;b\n\0\1", "is no text"),
        ("a.csv", b"t,v\n0,1\n1,2\n2,x\n3,1\n", 'line 4 of "a.csv"'),
        ("a.csv", b"t,v\n0,1\n1,2\n2\n3,1\n", 'line 4 of "a.csv"'),
        ("a.csv", b"0,1\n1,nan\n2,1\n3,1\n", 'line 2 of "a.csv" has a number that is not'),
        ("a.csv", b"0,1\n1,2\n1,3\n3,1\n", 'line 3 of "a.csv" time does not go on: 1, then 1'),
        ("a.csv", b"0,1\n1e-9,2\n1,3\n2,1\n", "apart"),
        ("a.csv", b"0,1\n1,2\n", "has 2 samples"),
        ("a.csv", b"0,1\n" * 550_000, "larger than 2 MB"),
        (".csv", None, "no file"),
    ],
)
def test_what_is_no_recording_is_told_by_name(tmp_path, name, content, says):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SceneError, match=says.replace(".", r"\.")) as caught:
        recording_in(path, "")
    assert name in caught.value.message
    assert caught.value.remedy


def test_a_file_that_is_written_again_is_read_again(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("0,1\n1,2\n2,3\n3,4\n")
    before = recording_in(path, "")
    assert recording_in(path, "") is before
    path.write_text("0,1\n1,2\n2,3\n3,44\n")
    assert recording_in(path, "").values[-1] == 44


def test_a_spline_goes_through_its_samples_with_four_derivatives_and_ends():
    values = np.random.default_rng(1).normal(size=50)
    spline = Spline.through(values, 0.5, start=2.0)
    knots = 2 + 0.5 * np.arange(50)
    assert np.abs(spline.evaluate(knots) - values).max() < 1e-12
    assert not spline.evaluate([-1e9, spline.end, 1e9]).any()
    # One quintic on both sides of a knot would have the same sixth difference 0: those of the
    # fifth derivative alone jump.
    h = 1e-2
    around = spline.evaluate(knots[20:30, None] + h * np.arange(-3, 4))
    sixth = np.abs(np.diff(around, 6, axis=1)).max()
    fifth = np.abs(np.diff(around, 5, axis=1)).max()
    assert 0 < sixth < 3 * fifth < 3 * 1e3 * np.abs(values).max() * (h / 0.5) ** 5


def test_a_runge_kutta_scheme_keeps_its_order_where_steps_pass_over_samples():
    scheme, spacing = SCHEMES["ck54"], 0.0937
    times = np.arange(-100, 300) * spacing
    bell = np.sin(2 * np.pi * times) * np.exp(-(((times - 6) / 2) ** 2))
    spline = Spline.through(bell, spacing, float(times[0]))

    def end(steps: int) -> float:
        """y(13) of y' = f(t) - 0.7 y."""
        dt, y, change = 13 / steps, 0.0, 0.0
        begins = dt * np.arange(steps)[:, None]
        driven = spline.evaluate(begins + dt * np.array(scheme.c))
        for row in driven:
            for a, b, f in zip(scheme.a, scheme.b, row, strict=True):
                change = a * change + dt * (f - 0.7 * y)
                y += b * change
        return y

    # Steps of 2, 1 and 1/2 samples.
    errors = [abs(end(steps) - end(4000)) for steps in (70, 140, 280)]
    assert errors[0] / errors[1] > 2**3.8
    assert errors[1] / errors[2] > 2**3.8


@pytest.mark.parametrize("count", [1, 7, 97, 1021, 999_983])
def test_a_fast_length_is_the_smallest_of_small_factors(count):
    def smooth(n: int) -> bool:
        for p in (2, 3, 5):
            while n % p == 0:
                n //= p
        return n == 1

    found = fast_length(count)
    fitting = (n for n in range(count + count % 2, 2 * count + 2, 2) if n > 1 and smooth(n))
    assert found == next(fitting)


def test_a_sine_is_met_to_sixth_order():
    errors = []
    for n in (8, 16):
        times = np.arange(-60 * n, 60 * n) / n
        spline = Spline.through(np.sin(2 * np.pi * times), 1 / n, -60.0)
        t = np.linspace(-2, 2, 999)
        errors.append(np.abs(spline.evaluate(t) - np.sin(2 * np.pi * t)).max())
    assert errors[1] < 3e-7
    assert errors[0] / errors[1] > 2**5.8


def test_uneven_times_are_met_to_fourth_order():
    rng = np.random.default_rng(2)
    errors = []
    for n in (100, 200):
        times = (np.arange(n) + 0.2 * rng.uniform(-1, 1, n)) * 10 / n
        even = evenly_spaced(times, np.sin(times), 0.01)
        t = times[0] + 0.01 * np.arange(len(even))
        middle = slice(200, -200)
        errors.append(np.abs(even - np.sin(t))[middle].max())
    assert errors[0] < 5e-5
    assert errors[0] / errors[1] > 8
