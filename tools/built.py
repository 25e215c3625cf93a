"""Print a stamp of all that the built pages follow from: `python -m tools.built`.

`make book` keeps the stamp of what it built, and `make test` builds anew if it is another now. It is one of contents,
not of times: of every file that the build reads, and of what it takes from its surroundings.
"""

import hashlib
import os
import platform
import subprocess
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
READ = [
    *("book", "leaderboard_edu", "tools/contents.py", "tools/lite.py", "tools/lite_startup.py"),
    *("jupyter_lite_config.json", "_config.yml", "_toc.yml", "CITATION.cff", "README.md", "LICENSE", "pyproject.toml"),
    *("requirements.txt", "constraints.txt", "tests/instructor/hostile.py", "tests/instructor/test_boundary.py"),
]
WRITTEN = ("__pycache__", ".*")  # by running what is beside, and by linters


def stamp(root: Path) -> str:
    """Return a hash of all that the built pages follow from."""
    digest = hashlib.sha256()
    for place in (root / name for name in READ):
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            parts = path.relative_to(root).parts
            if path.is_file() and not any(fnmatch(part, pattern) for part in parts for pattern in WRITTEN):
                content = path.read_bytes()
                digest.update(f"{path.relative_to(root).as_posix()} {len(content)}\n".encode() + content)
    remote = subprocess.run(["git", "remote", "get-url", "origin"], cwd=root, capture_output=True, check=False).stdout
    surroundings = [os.environ.get(name, "") for name in ("REPOSITORY", "REPOSITORY_BRANCH", "SITE")]
    digest.update(repr([remote, surroundings, platform.python_version()]).encode())
    return digest.hexdigest()


if __name__ == "__main__":
    print(stamp(ROOT))
