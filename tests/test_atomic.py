"""Files are whole or absent, and every reason why not is named."""

from __future__ import annotations

import errno
import os
import stat

import pytest

from wavelab import atomic
from wavelab.atomic import EachFile, check_different, check_target, whole_file
from wavelab.errors import OutputError

TXT = (".txt",)


def test_a_finished_file_has_its_name_and_nothing_else_remains(tmp_path):
    with whole_file(tmp_path / "a.txt", TXT) as partial:
        partial.write_text("whole")
        assert not (tmp_path / "a.txt").exists()
    assert (tmp_path / "a.txt").read_text() == "whole"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_directory_that_cannot_be_written_is_known_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # whatever root may do
    with pytest.raises(OutputError, match="Permission denied"):
        check_target(tmp_path / "a.txt", TXT)


def test_one_file_cannot_hold_two_things(tmp_path):
    (tmp_path / "b.txt").symlink_to(tmp_path / "a.txt")
    check_different((tmp_path / "a.txt", None, tmp_path / "c.txt", None))
    for other in (tmp_path / "a.txt", tmp_path / "b.txt", f"{tmp_path}/./a.txt"):
        with pytest.raises(OutputError, match="hold two things"):
            check_different((tmp_path / "a.txt", other))


def test_of_many_files_all_are_tried():
    files, done = EachFile(), []
    for name in "abc":
        with files.written():
            if name != "b":
                raise OutputError(f"no {name}", where=name, remedy="Try again.")
            done.append(name)
    assert done == ["b"]
    with pytest.raises(OutputError, match=r"(?s)a: no a\n  Try again\. c: no c\."):
        files.finish()
    EachFile().finish()


def test_a_failed_file_leaves_the_old_one_alone(tmp_path):
    target = tmp_path / "a.txt"
    target.write_text("old")
    with pytest.raises(ZeroDivisionError), whole_file(target, TXT) as partial:
        partial.write_text("new")
        raise ZeroDivisionError
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_what_a_killed_program_left_behind_is_not_overwritten(tmp_path):
    (tmp_path / "a.partial.txt").write_text("precious")
    with whole_file(tmp_path / "a.txt", TXT) as partial:
        partial.write_text("new")
    assert (tmp_path / "a.partial.txt").read_text() == "precious"
    assert sorted(os.listdir(tmp_path)) == ["a.partial.txt", "a.txt"]


def test_the_umask_decides_who_may_read_the_file(tmp_path):
    before = os.umask(0o027)
    try:
        with whole_file(tmp_path / "a.txt", TXT) as partial:
            partial.write_text("x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == 0o640


def test_a_link_is_followed(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "b.txt").write_text("old")
    (tmp_path / "a.txt").symlink_to(tmp_path / "there" / "b.txt")
    with whole_file(tmp_path / "a.txt", TXT) as partial:
        partial.write_text("new")
    assert (tmp_path / "a.txt").is_symlink()
    assert (tmp_path / "there" / "b.txt").read_text() == "new"


@pytest.mark.parametrize(
    ("name", "message", "remedy"),
    [
        ("a", "no ending", r"a\.txt"),
        ("a.png", r"the ending '\.png'", r"a\.txt"),
        ("missing/a.txt", "no directory .*missing", "Make it first"),
        ("folder", "is a directory", r"folder/wave\.txt"),
        ("folder.txt", "is a directory", r"folder\.txt/wave\.txt"),
        ("pipe.txt", "device or pipe", "another name"),
        ("zero\0.txt", "zero byte", ""),
        ("x" * 300 + ".txt", "name too long", "shorter"),
    ],
)
def test_targets_that_cannot_be_are_refused_with_a_remedy(tmp_path, name, message, remedy):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder.txt").mkdir()
    os.mkfifo(tmp_path / "pipe.txt")
    before = sorted(os.listdir(tmp_path))
    with pytest.raises(OutputError, match=f"(?is){message}.*{remedy}") as caught:
        with whole_file(tmp_path / name, TXT):
            pytest.fail("the block must not run")
    assert name[:4] in caught.value.where
    assert sorted(os.listdir(tmp_path)) == before


def test_every_allowed_ending_is_named():
    with pytest.raises(OutputError, match=r"\.mp4 or \.webm or \.gif"):
        check_target("wave.avi", (".mp4", ".webm", ".gif"))


def test_endings_may_be_upper_case(tmp_path):
    assert check_target(tmp_path / "A.TXT", TXT).name == "A.TXT"


@pytest.mark.parametrize(
    ("code", "remedy"),
    [(errno.ENOSPC, "Free some space"), (errno.EACCES, "writable"), (errno.EROFS, "read-only")],
)
def test_errors_while_writing_say_what_to_do(tmp_path, code, remedy):
    with pytest.raises(OutputError, match=f"(?s){os.strerror(code)}.*{remedy}"):
        with whole_file(tmp_path / "a.txt", TXT):
            raise OSError(code, os.strerror(code))
    assert os.listdir(tmp_path) == []


def test_a_disk_that_turns_out_full_at_the_very_end(tmp_path, monkeypatch):
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "no space")

    monkeypatch.setattr(atomic.os, "fsync", full)
    with pytest.raises(OutputError, match="Free some space"):
        with whole_file(tmp_path / "a.txt", TXT) as partial:
            partial.write_text("x")
    assert os.listdir(tmp_path) == []


def test_a_directory_that_goes_while_a_file_grows_is_what_is_told(tmp_path):
    directory = tmp_path / "d"
    directory.mkdir()
    with pytest.raises(OutputError, match="cannot be written"):
        with whole_file(directory / "a.txt", TXT) as partial:
            partial.unlink()
            directory.rmdir()
            directory.write_text("a file in its place")
            partial.write_text("x")
    assert os.listdir(tmp_path) == ["d"]


def test_ctrl_c_at_the_very_end_leaves_nothing(tmp_path, monkeypatch):
    def press(descriptor):
        raise KeyboardInterrupt

    monkeypatch.setattr(atomic.os, "fsync", press)
    with pytest.raises(KeyboardInterrupt), whole_file(tmp_path / "a.txt", TXT):
        pass
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_directory_without_permission(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(OutputError, match=r"(?s)Permission denied.*writable"):
        with whole_file(tmp_path / "a.txt", TXT):
            pytest.fail("the block must not run")
