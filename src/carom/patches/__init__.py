"""The smooth pieces of which walls are made: a file is one kind."""

from carom.patches import gridded as _gridded  # noqa: F401  (registers what cells answer)
