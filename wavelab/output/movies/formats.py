"""Kinds of movies, by the ending of their names."""

from __future__ import annotations

from dataclasses import dataclass, field

#: Seconds in a group of pictures: what a killed recording loses at most.
GROUP_SECONDS = 1


@dataclass(frozen=True)
class MovieFormat:
    """How one kind of file is made.

    ``options`` go to the encoder and ``container_options`` to the file; ``fastest`` is the highest
    number of frames per second that players show.
    """

    label: str
    codec: str
    container: str
    pixels: str
    fastest: int
    options: dict[str, str] = field(default_factory=dict)
    container_options: dict[str, str] = field(default_factory=dict)

    @property
    def is_video(self) -> bool:
        """Colours are stored as luma and halved chroma, so sizes must be even."""
        return self.pixels == "yuv420p"


FORMATS: dict[str, MovieFormat] = {
    ".mp4": MovieFormat(
        "MP4 (H.264)",
        "libx264",
        "mp4",
        "yuv420p",
        240,
        # Zero latency: no frame waits in the encoder, so a finished group is in the file.
        # "superfast" costs the running wave a fifth less than "veryfast", for files a third larger.
        {"preset": "superfast", "crf": "18", "tune": "zerolatency"},
        {"movflags": "frag_keyframe+empty_moov+default_base_moof", "flush_packets": "1"},
    ),
    ".webm": MovieFormat(
        "WebM (VP9)",
        "libvpx-vp9",
        "webm",
        "yuv420p",
        240,
        {"deadline": "realtime", "cpu-used": "7", "row-mt": "1", "lag-in-frames": "0", "crf": "24"},
        {"cluster_time_limit": str(1000 * GROUP_SECONDS), "flush_packets": "1"},
    ),
    # Delays in a GIF are hundredths of a second, and browsers slow down anything below two.
    ".gif": MovieFormat("GIF", "gif", "gif", "pal8", 50, {}, {"flush_packets": "1"}),
}


def even_size(width: int, height: int) -> tuple[int, int]:
    """The largest size within this one that every movie format can hold, at least 2 x 2."""
    return max(2, width // 2 * 2), max(2, height // 2 * 2)
