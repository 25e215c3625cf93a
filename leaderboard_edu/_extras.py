"""What comes with an extra of the package is imported where it is used, and its absence says which extra."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Within it, a package that is not installed is named together with the extra that brings it."""
    try:
        yield
    except ModuleNotFoundError as error:
        message = f"{error.name} is not installed; it comes with: pip install 'leaderboard-edu[{name}]'"
        raise ModuleNotFoundError(message, name=error.name) from None
