"""What the kernel in the reader's browser runs first.

It lets sentences show numbers that a cell computes: JupyterLab asks for them as `user_expressions` with each run, which
the Pyodide kernel leaves unanswered. And it lets chapters import the modules beside them, as kernels elsewhere do.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from IPython import get_ipython


def answer_expressions(shell: "Any") -> None:
    """Evaluate, after the code of each cell, the expressions that were asked for with it."""
    kernel, run = shell.kernel, shell.kernel.run

    async def run_and_answer(code: str) -> "dict[str, Any]":
        results = await run(code)
        asked = kernel._parent_header["content"].get("user_expressions", {})
        return {**results, "user_expressions": shell.user_expressions(asked)}

    kernel.run = run_and_answer


answer_expressions(get_ipython())
if "" not in sys.path:
    sys.path.append("")  # the folder of the notebook; last, for each look into it is a question to the page
sys.dont_write_bytecode = True  # that folder is the reader's
del TYPE_CHECKING, answer_expressions, sys  # and so is this namespace
