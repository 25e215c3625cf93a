"""For teachers, run from a clone: `python -m instructor check`."""
