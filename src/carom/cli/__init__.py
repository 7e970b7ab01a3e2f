"""The command line: ``carom run``, ``carom info``."""

from carom.cli.app import main

__all__ = ["main"]
