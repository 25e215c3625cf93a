"""The grader's benchmark keeps the rest of the record."""

import json

from instructor import benchmark


def test_it_writes_its_own_part(tmp_path, monkeypatch):
    before = json.loads(benchmark.RECORD.read_text(encoding="utf-8"))
    monkeypatch.setattr(benchmark, "RECORD", tmp_path / "record.json")
    benchmark.RECORD.write_text(json.dumps(before))
    monkeypatch.setattr(benchmark, "measure", lambda: {"notebooks": 1})
    monkeypatch.setattr(benchmark, "_machine", lambda: {"processor": "another"})
    benchmark.main()
    after = json.loads(benchmark.RECORD.read_text(encoding="utf-8"))
    assert after == before | {
        "grading": {"notebooks": 1},
        "measured_on": before["measured_on"] | {"grading": {"processor": "another"}},
    }
