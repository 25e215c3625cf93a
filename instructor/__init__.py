"""For teachers, run from a clone: `python -m instructor check | release | grade | compete`."""

import os
import sys
from types import ModuleType

if os.name != "posix":
    raise ImportError("these tools need Linux; elsewhere use the container of the instructor's guide")

# Reading notebooks imports it for a kind of address that none of them holds, which takes two seconds: leave it empty.
sys.modules.setdefault("rfc3987_syntax", ModuleType("rfc3987_syntax"))
