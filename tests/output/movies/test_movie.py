"""Movies decode to the frames that went in, and are whole or absent."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import textwrap

import av
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavelab.errors import OutputError
from wavelab.output.movies import movie
from wavelab.output.movies.movie import FORMATS, MovieWriter, even_size

ENDINGS = list(FORMATS)
VIDEO = [ending for ending, form in FORMATS.items() if form.is_video]
COLOURS = [(25, 11, 8), (158, 176, 255), (255, 173, 173), (200, 30, 60), (255, 255, 255), (0, 0, 0)]


def bars(width, height, turn=0):
    """Vertical bars of ``COLOURS``, moved on by ``turn`` bars."""
    index = (np.arange(width) * len(COLOURS) // width + turn) % len(COLOURS)
    return np.broadcast_to(np.array(COLOURS, np.uint8)[index], (height, width, 3))


def decode(path):
    with av.open(str(path)) as container:
        return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


def middles(rgb):
    """Colour in the middle of each bar, away from the edges where chroma bleeds."""
    height, width = rgb.shape[:2]
    return rgb[height // 2, (np.arange(len(COLOURS)) * 2 + 1) * width // (2 * len(COLOURS))]


@pytest.mark.parametrize("ending", ENDINGS)
def test_frames_number_rate_and_colours(tmp_path, ending):
    path = tmp_path / f"wave{ending}"
    with MovieWriter(path, 192, 96, fps=25) as writer:
        for turn in range(40):
            writer.add(bars(192, 96, turn // 8))
        assert not path.exists()
    assert os.listdir(tmp_path) == [path.name]
    frames = decode(path)
    assert len(frames) == writer.frames == 40
    for turn in (0, 20, 39):
        expected = middles(bars(192, 96, turn // 8)).astype(int)
        assert np.abs(middles(frames[turn]) - expected).max() <= (6 if ending in VIDEO else 0)
    with av.open(str(path)) as container:
        assert container.streams.video[0].average_rate == 25
        assert container.duration / av.time_base == pytest.approx(1.6, abs=0.05)


@pytest.mark.parametrize("ending", VIDEO)
def test_the_file_says_how_to_read_its_colours(tmp_path, ending):
    path = tmp_path / f"wave{ending}"
    with MovieWriter(path, 64, 48) as writer:
        writer.add(bars(64, 48))
    with av.open(str(path)) as container:
        frame = next(container.decode(video=0))
    # 1 = BT.709 for the matrix, the primaries and the curve; limited range.
    assert (frame.colorspace, frame.color_primaries, frame.color_trc) == (1, 1, 1)
    assert frame.color_range == 1
    assert frame.format.name == "yuv420p"


KILLED = """
import os, sys, time
import numpy as np
from wavelab.output.movies.movie import MovieWriter
writer = MovieWriter(sys.argv[1], 64, 48, fps=10)
for i in range(37):
    frame = np.full((48, 64, 3), 6 * i, np.uint8)
    writer.add(frame)
print("recorded", flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_killed_recording_lacks_at_most_the_last_group(tmp_path, ending):
    target = tmp_path / f"wave{ending}"
    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(KILLED), str(target)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    with child.stdout:
        assert child.stdout.readline() == "recorded\n"
    child.send_signal(signal.SIGKILL)
    child.wait()
    assert os.listdir(tmp_path) == [f"wave.partial{ending}"]
    frames = decode(tmp_path / f"wave.partial{ending}")
    group = movie.GROUP_SECONDS * 10
    assert 37 - group <= len(frames) <= 37
    for i, frame in enumerate(frames):
        assert abs(int(frame[20, 30, 1]) - 6 * i) <= 3


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_aborted_movie_leaves_nothing_and_the_old_one_alone(tmp_path, ending):
    path = tmp_path / f"wave{ending}"
    path.write_bytes(b"old")
    with pytest.raises(ZeroDivisionError), MovieWriter(path, 64, 48) as writer:
        writer.add(bars(64, 48))
        raise ZeroDivisionError
    writer.abort()
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.parametrize("ending", ENDINGS)
def test_no_frames_no_file(tmp_path, ending):
    with pytest.raises(OutputError, match="no frame was recorded"):
        MovieWriter(tmp_path / f"wave{ending}", 64, 48).close()
    assert os.listdir(tmp_path) == []


def test_closing_twice_is_harmless_and_adding_afterwards_is_not(tmp_path):
    writer = MovieWriter(tmp_path / "wave.mp4", 64, 48)
    writer.add(bars(64, 48))
    writer.close()
    writer.close()
    writer.abort()
    with pytest.raises(OutputError, match="already closed"):
        writer.add(bars(64, 48))
    assert len(decode(tmp_path / "wave.mp4")) == 1


@pytest.mark.parametrize(
    "frame", [np.zeros((48, 66, 3), np.uint8), np.zeros((48, 64, 3)), np.zeros((48, 64), np.uint8)]
)
def test_a_frame_that_does_not_fit_is_refused_and_the_movie_goes_on(tmp_path, frame):
    with MovieWriter(tmp_path / "wave.mp4", 64, 48) as writer:
        writer.add(bars(64, 48))
        with pytest.raises(OutputError, match=r"does not fit into a movie of \(64, 48\)"):
            writer.add(frame)
        writer.add(bars(64, 48))
    assert len(decode(tmp_path / "wave.mp4")) == 2


@given(st.integers(-5, 9000), st.integers(-5, 9000))
def test_even_sizes(width, height):
    even = even_size(width, height)
    for given_side, side in zip((width, height), even, strict=True):
        assert side % 2 == 0
        assert side >= 2
        assert side == 2 or given_side - 1 <= side <= given_side


@pytest.mark.parametrize(("width", "height"), [(853, 481), (2, 2), (3, 501)])
@pytest.mark.parametrize("ending", ENDINGS)
def test_any_window_can_be_recorded_at_its_even_size(tmp_path, ending, width, height):
    width, height = even_size(width, height)
    with MovieWriter(tmp_path / f"wave{ending}", width, height) as writer:
        writer.add(bars(width, height))
    (frame,) = decode(tmp_path / f"wave{ending}")
    assert frame.shape == (height, width, 3)


def test_a_gif_may_be_odd(tmp_path):
    with MovieWriter(tmp_path / "wave.gif", 53, 31, fps=20) as writer:
        writer.add(bars(53, 31))
    np.testing.assert_array_equal(decode(tmp_path / "wave.gif")[0], bars(53, 31))


@pytest.mark.parametrize(
    ("name", "width", "height", "fps", "message"),
    [
        ("wave.mp4", 853, 481, 30, "(?s)even width and height, not 853 x 481.*852 x 480"),
        ("wave.webm", 64, 481, 30, "(?s)even.*64 x 480"),
        ("wave.gif", 0, 10, 30, "0 x 10 pixels has none"),
        ("wave.gif", 64, 48, 60, "1 to 50 frames per second, not 60"),
        ("wave.mp4", 64, 48, 0, "frames per second, not 0"),
        ("wave", 64, 48, 30, r"(?s)no ending.*\.mp4 or \.webm or \.gif"),
        ("wave.avi", 64, 48, 30, r"(?s)'\.avi'.*\.mp4 or \.webm or \.gif"),
        ("missing/wave.mp4", 64, 48, 30, "there is no directory"),
    ],
)
def test_movies_that_cannot_be(tmp_path, name, width, height, fps, message):
    with pytest.raises(OutputError, match=message):
        MovieWriter(tmp_path / name, width, height, fps)
    assert os.listdir(tmp_path) == []


def test_a_missing_encoder_is_named(tmp_path, monkeypatch):
    form = movie.MovieFormat("MP4 (H.264)", "libnosuch", "mp4", "yuv420p", 60)
    monkeypatch.setitem(FORMATS, ".mp4", form)
    with pytest.raises(OutputError, match=r"(?s)no encoder libnosuch.*\.webm or \.gif"):
        MovieWriter(tmp_path / "wave.mp4", 64, 48)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_full_disk_leaves_nothing(tmp_path, ending):
    """A limit on the size of files fails as a full disk does, in the middle of a write."""
    noise = np.random.default_rng(1).integers(0, 256, (60, 64, 64, 3), dtype=np.uint8)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, limits[1]))
    try:
        with pytest.raises(OutputError, match=r"(?s)File too large.*limits allow"):
            with MovieWriter(tmp_path / f"wave{ending}", 64, 64, fps=10) as writer:
                for frame in noise:
                    writer.add(frame)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert os.listdir(tmp_path) == []
