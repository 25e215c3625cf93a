"""For teachers, run from a clone: `python -m instructor check | release | grade | compete`."""

import os

if os.name != "posix":
    raise ImportError("these tools need Linux; elsewhere use the container of the instructor's guide")
