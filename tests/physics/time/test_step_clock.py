import numpy as np
import pytest

from wavelab.errors import WavelabError
from wavelab.physics.time.step_clock import StepClock


def test_times_do_not_depend_on_how_steps_are_batched():
    clock = StepClock(0.1).set_to(3.0, 7)
    whole = clock.times(7, 1000)
    parts = [clock.times(7, 999), clock.times(1006, 1)]
    assert np.array_equal(np.concatenate(parts), whole)
    assert [clock.after(n) for n in range(7, 1007)] == whole.tolist()


def test_a_million_steps_do_not_drift():
    assert StepClock(0.1).after(1_000_000) == pytest.approx(1e5, rel=1e-15)
    assert StepClock(0.1).set_to(5.0, 3).after(3) == 5.0


@pytest.mark.parametrize("dt", [0.0, -1.0, np.nan, np.inf])
def test_a_step_is_a_positive_number(dt):
    with pytest.raises(WavelabError, match="the time step is"):
        StepClock(dt)
