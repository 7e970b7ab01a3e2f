"""The version of carom."""

__version__ = "0.2.0"
