"""The list of keys is as wide as the screen allows, and no wider."""

from __future__ import annotations

import pytest

from wavelab.app.panels.dialogs.shortcut_sheet import widest_list
from wavelab.app.shell.menus.actions import ACTIONS, DOCKS, shortcut_groups


@pytest.mark.parametrize("width", [700, 1000, 1366])
def test_the_list_takes_as_many_columns_as_fit(application, width):
    shown = widest_list(shortcut_groups(), width)
    assert shown.sizeHint().width() <= width
    wider = widest_list(shortcut_groups(), 2 * width)
    assert wider.sizeHint().height() < shown.sizeHint().height()


def test_no_key_has_two_meanings():
    taken = [key for info in ACTIONS.values() for key in info.shortcuts] + list(DOCKS.values())
    assert sorted(taken) == sorted(set(taken))
