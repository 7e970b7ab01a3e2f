"""Flows that a formula gives at every place and time."""
