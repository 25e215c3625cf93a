"""Let the tests import the scripts in `tools`, after everything that is installed."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
