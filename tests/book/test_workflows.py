"""The workflows run the project's own commands, with pinned actions, and the linters would notice if not."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PINNED = re.compile(r"[\w-]+/[\w-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+")
BIN = Path(sys.executable).parent


def targets():
    """Return what `make` can make."""
    return set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def workflow_faults(text):
    """Say what in a workflow is no command of the project, has no time limit, or is not pinned with its version."""
    faults = [f"not pinned: {used}" for used in re.findall(r"uses: (.+)", text) if not PINNED.fullmatch(used)]
    for name, job in yaml.safe_load(text)["jobs"].items():
        if "timeout-minutes" not in job:
            faults.append(f"no time limit: {name}")
        for command in (step["run"] for step in job["steps"] if "run" in step):
            ours = command == ".ci/run" or command.startswith("gh release create ")
            if not ours and command.removeprefix("make ") not in targets():
                faults.append(f"no command of the project: {command}")
    return faults


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_are_in_order(path):
    assert workflow_faults(path.read_text()) == []


def test_the_workflows_test_publish_and_release():
    texts = {path.stem: path.read_text() for path in WORKFLOWS}
    assert texts.keys() == {"pages", "release", "test"}
    assert "run: .ci/run" in texts["test"]
    assert "run: .ci/run" in texts["release"]
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o100


def test_one_version_of_an_action_is_used():
    used = {line for path in WORKFLOWS for line in re.findall(r"uses: (.+)", path.read_text())}
    assert len(used) == len({line.split("@")[0] for line in used})


def test_planted_faults_are_found():
    text = next(path for path in WORKFLOWS if path.stem == "test").read_text()
    text = re.sub(r"checkout@\w+  # v[\d.]+", "checkout@v7", text).replace("    timeout-minutes: 60\n", "")
    assert workflow_faults(text.replace("run: .ci/run", "run: make everything")) == [
        "not pinned: actions/checkout@v7",
        "no time limit: test",
        "no command of the project: make everything",
    ]
    assert workflow_faults(re.sub(r"  # v[\d.]+", "", WORKFLOWS[0].read_text()))[0].startswith(
        "not pinned: actions/checkout@"
    )


@pytest.mark.parametrize(
    ("good", "bad", "said"),
    [
        (r"checkout@\w+ ", "checkout@v7 ", "unpinned-uses"),
        ("persist-credentials: false", "fetch-depth: 1", "artipacked"),
        ("contents: read", "contents: write\n      issues: write", "excessive-permissions|undocumented-permissions"),
        ("run: .ci/run", 'run: echo "${{ github.event.pull_request.title }}"', "template-injection"),
    ],
)
def test_the_linter_finds_planted_faults(tmp_path, good, bad, said):
    folder = tmp_path / ".github" / "workflows"
    folder.mkdir(parents=True)
    lint = [BIN / "zizmor", "--offline", "--quiet", "--pedantic", "--no-progress", tmp_path / ".github"]
    text = (ROOT / ".github" / "workflows" / "test.yml").read_text()
    (folder / "test.yml").write_text(text)
    assert subprocess.run(lint, capture_output=True, check=False).returncode == 0
    (folder / "test.yml").write_text(re.sub(good, lambda _: bad, text))
    run = subprocess.run(lint, capture_output=True, text=True, check=False)
    assert run.returncode != 0
    assert re.search(said, run.stdout)


def test_the_schema_finds_a_planted_key(tmp_path):
    lint = [BIN / "check-jsonschema", "--builtin-schema", "vendor.github-workflows", tmp_path / "test.yml"]
    text = (ROOT / ".github" / "workflows" / "test.yml").read_text()
    (tmp_path / "test.yml").write_text(text)
    assert subprocess.run(lint, capture_output=True, check=False).returncode == 0
    (tmp_path / "test.yml").write_text(text.replace("timeout-minutes", "timeout-minute"))
    assert subprocess.run(lint, capture_output=True, check=False).returncode == 1
