"""What carom was tried with: figures of its sources made again, and benchmarks.

An entry, one file or a row of one in ``entries``, measures what a figure shows, compares it with
the published numbers by criteria that it states, and draws the figure with the same axes.
``carom reproduce NAME`` runs it. What several entries run is in ``experiments``, what is measured
for pages of the manual in ``benchmarks``.
"""

from carom_studies.entry import Choice, Entry, Findings, Number, Size, Statement, Tell
from carom_studies.sources import Source

__all__ = ["Choice", "Entry", "Findings", "Number", "Size", "Source", "Statement", "Tell"]
