"""Values are made once for each owner, and go with it."""

import copy
import gc
import io
import pickle
import weakref

import pytest

from wavelab.child import receive, send
from wavelab.remembered import Remembered


class Mesh:
    """Stands for what lives long."""


def test_a_value_is_made_once_and_the_oldest_goes_first():
    remembered: Remembered[Mesh, str] = Remembered(2)
    mesh, made = Mesh(), []

    def get(key: str) -> str:
        return remembered.get(mesh, key, lambda: made.append(key) or key.upper())

    assert [get(key) for key in "abab"] == ["A", "B", "A", "B"]
    assert made == ["a", "b"]
    get("c")  # in the place of a, which was asked for longest ago
    assert [get(key) for key in "bca"] == ["B", "C", "A"]
    assert made == ["a", "b", "c", "a"]


def test_another_owner_has_values_of_its_own_and_all_go_with_it():
    remembered: Remembered[Mesh, object] = Remembered(2)
    one, other = Mesh(), Mesh()
    made = [Mesh()]
    assert remembered.get(one, 1, lambda: made[0]) is remembered.get(one, 1, Mesh)
    assert remembered.get(other, 1, Mesh) is not made[0]
    gone = weakref.ref(made.pop())
    del one
    gc.collect()
    assert gone() is None


def test_a_value_that_leads_back_to_its_owner_goes_with_it():
    remembered: Remembered[Mesh, list] = Remembered(2)

    def used() -> weakref.ref:
        mesh = Mesh()
        assert remembered.get(mesh, 1, lambda: [mesh]) == [mesh]
        return weakref.ref(mesh)

    gone = used()
    gc.collect()
    assert gone() is None


def test_what_is_remembered_stays_here_when_its_owner_goes_elsewhere():
    remembered: Remembered[Mesh, object] = Remembered(2)
    mesh = Mesh()
    assert remembered.get(mesh, 1, lambda: lambda: 1) is not None  # that could not be pickled
    copied = pickle.loads(pickle.dumps(mesh))
    assert remembered.get(copied, 1, lambda: 2) == 2


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_a_copy_has_values_of_its_own(copied):
    remembered: Remembered[Mesh, int] = Remembered(2)
    mesh = Mesh()
    assert remembered.get(mesh, "a", lambda: 1) == 1
    other = copied(mesh)
    assert remembered.get(other, "a", lambda: 2) == 2
    assert remembered.get(mesh, "a", lambda: 3) == 1


def test_an_owner_is_sent_while_something_is_remembered_of_it():
    """Its attributes become more while they are written."""
    mesh = Mesh()

    class Slow:
        def __reduce__(self):
            Remembered(1).get(mesh, 1, lambda: 1)
            return str, ()

    mesh.first, mesh.second = Slow(), 2
    stream = io.BytesIO()
    send(stream, mesh)
    stream.seek(0)
    assert receive(stream).second == 2
