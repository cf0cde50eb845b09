"""The ledger in the window: its numbers are the solver's, and it explains them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from wavelab.simulation.energy.account import Account

ACCOUNT = Account(0.0, 2.0, 1.0, 0.5, 0.25, 0.125, 0.0, 0.025, 1.59, 41)
NOTHING = Account(0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 41)


@pytest.fixture
def panel(application):
    from wavelab.app.base.theme import THEMES
    from wavelab.app.panels.ledger_panel import LedgerPanel

    made = LedgerPanel(THEMES["dark"])
    yield made
    made.deleteLater()


def test_every_entry_is_written_losses_with_a_minus(panel):
    panel.show_account(ACCOUNT)
    texts = panel.texts()
    assert texts["At the start"] == "1.00"
    assert texts["Walls"] == "\u22120.125"
    assert texts["Heat in media"] == "0"
    assert texts["Stored"] == "1.59"
    assert texts["Residual"] == "\u22120.0100"


@pytest.mark.parametrize(
    "account", [replace(ACCOUNT, walls=-4e-19), replace(NOTHING, walls=-4e-45)]
)
def test_rounding_is_written_as_nothing(panel, account):
    panel.show_account(account)
    assert panel.texts()["Walls"] == "0"


def test_every_line_is_explained_by_its_tooltip(panel):
    panel.show_account(ACCOUNT)
    said = [panel.explanation(index) for index in range(-1, 8)]
    assert "Stored = " in said[0]
    assert "losses" in said[5]
    assert "0.57%" in said[8]
    assert "41 times" in said[8]
    assert len(set(said)) == 9


def test_a_residual_that_comes_from_few_looks_is_not_shown_as_a_loss(panel):
    for doubt, said in ((0.3, True), (0.01, False)):
        panel.show_account(replace(ACCOUNT, stored=1.2, doubt=doubt))
        assert ("too seldom" in panel.explanation(7)) == said


def test_a_large_residual_is_drawn_in_the_colour_of_danger(panel):
    from wavelab.app.base.qt import QColor
    from wavelab.app.base.theme import THEMES

    def colours():
        image = panel.grab().toImage()
        return {image.pixel(x, y) for x in range(400) for y in range(200)}

    panel.resize(400, 200)
    danger = QColor(THEMES["dark"].danger).rgb()
    panel.show_account(ACCOUNT)
    assert danger not in colours()
    panel.show_account(replace(ACCOUNT, stored=1.2))
    assert danger in colours()
    panel.show_account(replace(ACCOUNT, stored=1.2, doubt=0.3))  # of too few looks, not of the wave
    assert danger not in colours()


def test_a_click_shows_up_in_the_ledger_of_the_window(driver):
    driver.until(lambda: driver.window.ledger_panel.account is not None)
    assert driver.window.ledger_panel.account.pings == 0
    driver.click(0.4, 0.6)
    driver.until(lambda: driver.window.ledger_panel.account.pings > 0)
    driver.press("Space")
    driver.until(lambda: not driver.bench.presenter.frame.playing)
    account = driver.bench.presenter.frame.ledger
    assert account.until == driver.bench.presenter.frame.time
    assert abs(account.residual) < 0.05 * account.pings
    driver.press("L")
    driver.until(lambda: driver.window.ledger_dock.isHidden())
