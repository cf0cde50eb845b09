"""Names beside what they name: no one lies over another."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from wavelab.app.base.qt import QImage, QPointF, painting
from wavelab.app.canvas.overlay.ink import Ink
from wavelab.app.canvas.overlay.lines import Names

PLACES = st.tuples(st.floats(100, 104), st.floats(200, 206))


@given(places=st.lists(PLACES, min_size=1, max_size=4))
def test_names_of_what_is_close_together_stand_apart(application, places):
    image = QImage(400, 400, QImage.Format_ARGB32_Premultiplied)
    with painting(image) as painter:
        names = Names(painter, Ink.for_palette("berlin"))
        for number, place in enumerate(places):
            names.put(f"probe {number}", QPointF(*place))
    assert len(names.taken) == len(places)
    assert not any(one.intersects(other) for one, other in combinations(names.taken, 2))
