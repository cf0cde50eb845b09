"""The page of the source tool shows what each kind of source asks for, and nothing else."""

from __future__ import annotations

import pytest

from wavelab.scene.model.sending.placing import SourceSettings
from wavelab.scene.sources import PLACINGS
from wavelab.scene.waveforms import WAVES


@pytest.fixture
def page(application):
    from wavelab.app.panels.tool_pages.source_page import SourcePage

    page = SourcePage()
    page.show()
    return page


def listed(box):
    return [box.itemText(i) for i in range(box.count())]


def test_all_kinds_are_offered_by_how_they_are_placed(page):
    assert listed(page.kind) == [
        "point", "explosion", "force", "double couple", "line", "array", "moving",
        "mode of a guide", "region", "plane wave",
        "wave through walls", "P wave through walls", "S wave through walls", "guided mode",
    ]  # fmt: skip
    assert listed(page.wave) == list(WAVES) == ["sine", "pulse", "wave packet", "chirp"]


@pytest.mark.parametrize("kind", PLACINGS)
def test_a_kind_is_asked_for_its_own_numbers(page, kind):
    wished = []
    page.wished.connect(wished.append)
    page.show_settings(SourceSettings(3.0, 2.0, "chirp", kind))
    assert wished == []
    numbers = PLACINGS[kind][0].numbers
    shown = {key for key, field in page.own.items() if field.isVisible()}
    assert shown == {number.key for number in numbers}
    for number in numbers:
        field = page.own[number.key]
        assert field.toolTip() == number.tip
        if number.unit == "positive":
            field.stepBy(1)
        else:
            field.setValue(5)
        assert wished[-1][number] != number.start
    page.kind.activated.emit(page.kind.currentIndex())
    assert (wished[-1].frequency, wished[-1].height) == (3.0, 2.0)
    assert (wished[-1].wave, wished[-1].kind) == ("chirp", kind)
