"""The version of carom."""

__version__ = "0.1.0"
