"""The figures of the sources, made again: one entry each, in ``entries``.

An entry measures what a figure shows, compares it with the published numbers by criteria that it
states, and draws the figure with the same axes. ``carom reproduce NAME`` runs it. What several
entries run is in ``experiments``.
"""

from carom.reproduce.entry import Choice, Entry, Findings, Number, Size, Statement, Tell
from carom.reproduce.sources import Source

__all__ = ["Choice", "Entry", "Findings", "Number", "Size", "Source", "Statement", "Tell"]
