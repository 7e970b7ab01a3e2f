"""The version of the studies."""

__version__ = "0.2.0"
