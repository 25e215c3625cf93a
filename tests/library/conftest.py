"""Hypothesis draws the same examples on every run."""

from hypothesis import settings

settings.register_profile("book", derandomize=True, deadline=None)
settings.load_profile("book")
