"""A journal holds whole entries, also when there was no room for one."""

import resource

import pytest

from leaderboard_edu._journal import Journal


def test_an_entry_without_room_is_taken_back(tmp_path):
    """A limit on the file cuts the second entry off in its middle; what comes later is whole again."""
    path = tmp_path / "journal"
    journal = Journal(path, {"run": 1})
    journal.add("first")
    before = path.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 5, limits[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            journal.add("an entry with more than five letters")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == before
    journal.add("third")
    assert list(Journal(path, {"run": 1}).entries(str)) == ["first", "third"]
