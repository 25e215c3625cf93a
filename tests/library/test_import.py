"""Importing the library is light."""

import subprocess
import sys

import leaderboard_edu

PROBE = "import sys; import leaderboard_edu; print(*sorted({name.partition('.')[0] for name in sys.modules}))"


def test_import_brings_numpy_and_nothing_heavy():
    run = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    assert {"leaderboard_edu", "numpy"} <= loaded
    third_party = {"scipy", "matplotlib", "PIL", "joblib", "pandas", "sklearn", "tqdm", "ipywidgets", "IPython"}
    assert not loaded & third_party


def test_public_names():
    assert leaderboard_edu.__all__ == sorted(leaderboard_edu.__all__, key=lambda n: (not n.isupper(), n.islower(), n))
    assert all(hasattr(leaderboard_edu, name) for name in leaderboard_edu.__all__)
