"""The version of the studies."""

__version__ = "0.1.0"
