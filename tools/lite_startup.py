"""What the kernel in the reader's browser runs first.

It lets sentences show numbers that a cell computes: JupyterLab asks for them as `user_expressions` with each run, which
the Pyodide kernel leaves unanswered. It lets charts arrive as they are: the kernel makes None undefined, as if it had
not been said, so an axis that a chart leaves out would come back. And it lets chapters import the modules beside them,
as kernels elsewhere do.
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


def keep_nulls(shell: "Any") -> None:
    """Let each None in what is displayed, and in what a cell results in, arrive at the page as null."""
    from pyodide.ffi import jsnull

    hook, publish, write = shell.displayhook, shell.display_pub.publish, shell.displayhook.write_format_data

    def kept(value: "Any") -> "Any":
        if isinstance(value, dict):
            return {key: kept(held) for key, held in value.items()}
        if isinstance(value, (list, tuple)):
            return [kept(held) for held in value]
        return jsnull if value is None else value

    def publish_kept(data: "Any", *args: "Any", **kwargs: "Any") -> None:
        publish(kept(data), *args, **kwargs)

    def write_kept(*args: "Any") -> None:
        write(*args)
        hook.data = kept(hook.data)

    shell.display_pub.publish, hook.write_format_data = publish_kept, write_kept


answer_expressions(get_ipython())
keep_nulls(get_ipython())
if "" not in sys.path:
    sys.path.append("")  # the folder of the notebook; last, for each look into it is a question to the page
sys.dont_write_bytecode = True  # that folder is the reader's
del TYPE_CHECKING, answer_expressions, keep_nulls, sys  # and so is this namespace
