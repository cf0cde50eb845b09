"""Files that one at a time holds."""

from __future__ import annotations

import threading
from pathlib import Path

from wavelab.locks import alone_with


def test_nobody_else_is_alone_with_a_file(tmp_path: Path) -> None:
    target = tmp_path / "t.csv"
    with alone_with(target) as first:
        assert first
        with alone_with(target) as second, alone_with(tmp_path / "u.csv") as other:
            assert not second
            assert other
        with alone_with(target) as still:
            assert not still, "one that was refused has given the file away"
    assert not list(tmp_path.iterdir())
    with alone_with(target) as again:
        assert again


def test_what_a_killed_process_left_is_free(tmp_path: Path) -> None:
    (tmp_path / ".t.csv.lock").write_bytes(b"")
    with alone_with(tmp_path / "t.csv") as mine:
        assert mine


def test_many_that_come_and_go_are_never_two(tmp_path: Path) -> None:
    """Also where one removes its file between another's opening and locking of it."""
    inside, most, counted = 0, 0, threading.Lock()

    def come_and_go() -> None:
        nonlocal inside, most
        for _ in range(200):
            with alone_with(tmp_path / "t.csv") as mine:
                if mine:
                    with counted:
                        inside += 1
                        most = max(most, inside)
                    with counted:
                        inside -= 1

    threads = [threading.Thread(target=come_and_go) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1
