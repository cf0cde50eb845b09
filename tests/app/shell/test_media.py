"""A medium that changes, in the window: it runs, is pinged and shown, and its work is booked."""

from __future__ import annotations

from tests.sample_scenes import boxed

SWINGING = boxed(
    "Swinging",
    """\
[background]
epsilon = "(1 + x)*(2 + sin(20*t))"
[initial]
ez = "sin(pi*x)*sin(pi*y)"
[solver]
element_size = 0.3
order = 2
""",
)


def test_a_changing_medium_runs_and_its_work_is_booked(start, tmp_path):
    path = tmp_path / "swinging.toml"
    path.write_text(SWINGING)
    driver = start(path)
    # A sixth of the usual speed: on a busy machine the account is seldom looked at, and the medium
    # must not swing round in between.
    slider = driver.window.transport.speed.slider
    slider.setValue(slider.value() - 8)
    driver.click(0.5, 0.5)
    ledger = driver.window.ledger_panel
    driver.until(lambda: ledger.account is not None and ledger.account.parametric != 0)
    assert "Changing media" in ledger.texts()
    driver.bench.views.show_quantity("index")
    driver.until(lambda: driver.bench.presenter.frame.quantity == "index")
    # (1 + x) (2 + sin) at its largest.
    assert 1.99 <= float(driver.bench.presenter.frame.values.max()) ** 2 <= 6.01
    driver.window.mesh_panel.order.setValue(3)  # the field is carried over
    driver.settled()
    assert driver.session.loaded.order == 3
    driver.next_frame()
    assert abs(ledger.account.residual) < 0.2 * ledger.account.turnover
