"""Let the tests import the scripts in `tools`, after everything installed; Hypothesis draws the same on every run."""

import sys
from pathlib import Path

from hypothesis import settings

sys.path.append(str(Path(__file__).resolve().parents[1]))
settings.register_profile("book", derandomize=True, deadline=None)
settings.load_profile("book")
