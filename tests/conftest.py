"""Let the tests import the scripts in `tools`, after everything installed; Hypothesis draws the same on every run."""

import os
import sys
from pathlib import Path

from hypothesis import Phase, settings

sys.path.append(str(Path(__file__).resolve().parents[1]))
settings.register_profile("book", derandomize=True, deadline=None)
# A mutant's run asks only whether the test fails: making its example small can take minutes.
settings.register_profile(
    "mutant", settings.get_profile("book"), phases=(Phase.explicit, Phase.generate), report_multiple_bugs=False
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "book"))
