"""A drawing as PDF, SVG and PNG: each file has what is on the page, where it is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.figure_files import png_pixels, read_pdf, read_svg
from wavelab.output.figures.drawing import Bitmap, Drawing, Patch, Stroke, Words, known_parts
from wavelab.output.figures.letters import MISSING, levels, runs, unwritable, width
from wavelab.output.figures.pdf import encoded_pdf
from wavelab.output.figures.png import encoded_page, rendered
from wavelab.output.figures.svg import encoded_svg

READERS = {"pdf": (encoded_pdf, read_pdf), "svg": (encoded_svg, read_svg)}
INK = (10, 20, 30)
#: All letters of Helvetica in a PDF file.
WRITABLE = "".join(
    c for c in (bytes([i]).decode("cp1252", "ignore") for i in range(32, 256)) if c.isprintable()
)


def drawing(*items, dpi: float = 72.0) -> Drawing:
    return Drawing(200.0, 120.0, (255, 255, 255), "A (title) \u6771", dpi, list(items))


@pytest.mark.parametrize("form", READERS)
def test_texts_are_where_they_were_put(form):
    write, read = READERS[form]
    words = [
        Words("x (\u00b5m)", (20.0, 30.0), 8.0, INK),
        Words("10\u207b\u00b3 \\(\u03bb) <&>", (40.5, 60.25), 10.0, INK, halo=(255, 255, 255)),
        Words("energy", (12.0, 50.0), 8.0, INK, upright=True),
    ]
    page = read(write(drawing(*words)))
    assert (page.width, page.height) == (200.0, 120.0)
    assert page.at("x (\u00b5m)") == pytest.approx((20.0, 30.0))
    raised = "10\u22123 \\(\u03bb) <&>"  # a superscript is a smaller 3, higher up
    assert page.at(raised) == pytest.approx((40.5, 60.25))
    assert page.at("energy") == pytest.approx((12.0, 50.0))


def test_a_pdf_file_aligns_by_the_widths_of_helvetica():
    """0.667 of the size for A, as Adobe's metrics have it."""
    middle, right = (
        Words(text, (100.0, 20.0), 10.0, INK, a) for text, a in (("A", 0.5), ("AA", 1.0))
    )
    page = read_pdf(encoded_pdf(drawing(middle, right)))
    assert page.at("A") == pytest.approx((100 - 3.335, 20.0))
    assert page.at("AA") == pytest.approx((100 - 13.34, 20.0))


@given(st.text(WRITABLE + "\u03bb\u03a9\u03c6\u2192\u2212", min_size=1, max_size=30))
def test_a_pdf_file_holds_every_letter_that_its_fonts_have(text):
    page = read_pdf(encoded_pdf(drawing(Words(text, (1.0, 2.0), 8.0, INK))))
    plain = "".join(part for part, _, _ in levels(text))
    assert page.words == [plain]
    assert unwritable(text) == ""


@given(st.text(max_size=20), st.text(max_size=20))
def test_any_text_makes_a_file_and_widths_add_up(first, second):
    for name, (write, read) in READERS.items():
        page = read(write(drawing(Words(first + "x", (1.0, 2.0), 8.0, INK, halo=INK))))
        assert len(page.texts) == 1, name
    assert width(first + second, 8.0) == pytest.approx(width(first, 8.0) + width(second, 8.0))
    lost = unwritable(first)
    assert "".join(run.text for run in runs(first)).count(MISSING) >= len(lost)


def test_what_no_font_has_is_told():
    page = drawing(Words("E \u6771\u4eac \u03bb \u6771", (1.0, 2.0), 8.0, INK))
    assert page.unwritable == "\u6771\u4eac"


@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 2**32 - 1))
def test_pictures_keep_every_pixel(height, wide, seed):
    rgb = np.random.default_rng(seed).integers(0, 256, (height, wide, 3), dtype=np.uint8)
    box = (10.0, 20.0, 10.0 + wide, 20.0 + height)
    page = drawing(Bitmap(rgb, box))
    for write, read in READERS.values():
        ((found, where),) = read(write(page)).images
        assert np.array_equal(found, rgb)
        assert where == pytest.approx(box)
    there = rendered(page)[120 - 20 - height : 100, 10 : 10 + wide]
    assert np.array_equal(there, rgb)


def test_lines_are_where_they_were_put():
    ring = np.array([(10.0, 10.0), (60.0, 10.0), (60.0, 40.125), (10.0, 10.0)])
    line = np.array([(100.0, 100.0), (150.0, 20.0)])
    page = drawing(Stroke((ring, line), INK, 2.0, (4.0, 2.0), 0.5, (0.0, 0.0, 120.0, 120.0)))
    for write, read in READERS.values():
        found = read(write(page)).paths
        assert all(np.allclose(a, b) for a, b in zip(found, (ring, line), strict=True))


def test_pixels_are_covered_by_lines_inside_of_their_clip():
    line = np.array([(20.0, 60.5), (180.0, 60.5)])
    plain = Stroke((line,), (0, 0, 0), 3.0, clip=(50.0, 0.0, 100.0, 120.0))
    pixels = rendered(drawing(plain))
    dark = np.argwhere(pixels[..., 0] < 128)
    assert dark.min(axis=0).tolist() == [58, 50]
    assert dark.max(axis=0).tolist() == [60, 99]
    half = rendered(drawing(Patch((0.0, 0.0, 10.0, 10.0), (0, 0, 0), 0.5)))
    assert half[115, 5].tolist() == [128, 128, 128]
    dashed = rendered(drawing(Stroke((line,), (0, 0, 0), 3.0, (10.0, 10.0))))[59, :, 0] < 128
    assert dashed[22:28].all()
    assert not dashed[33:37].any()


def test_letters_of_pixels_stand_where_those_of_helvetica_do():
    text = Words("HHHHHHHH", (20.0, 40.0), 20.0, (0, 0, 0))
    rows, columns = np.nonzero(rendered(drawing(text, dpi=144.0))[..., 0] < 128)
    left, right, top, bottom = columns.min(), columns.max(), rows.min(), rows.max()
    assert 40 < left < 45
    assert 0 < 40 + 2 * width("HHHHHHHH", 20.0) - right < 8
    assert abs(bottom - (240 - 80)) <= 2
    assert abs(bottom - top - 2 * 20 * 0.718) <= 4


def test_a_page_of_pixels_is_a_png_file_of_its_resolution():
    pixels = png_pixels(encoded_page(drawing(dpi=300.0)))
    assert pixels.shape == (500, 833, 3)
    assert (pixels == 255).all()


def test_a_line_is_broken_where_it_is_no_number():
    line = np.array([(0, 0), (1, 1), (2, np.nan), (3, 0), (4, 1), (np.inf, 2), (6, 2)])
    assert [part[:, 0].tolist() for part in known_parts(line)] == [[0, 1], [3, 4]]
