"""Many runs: :func:`carom.sweep` and :func:`carom.ensemble`, and what becomes of their results."""

from carom.sweeps.ensemble import ensemble as ensemble
from carom.sweeps.picture import picture
from carom.sweeps.sweep import sweep as sweep
from carom.sweeps.table import over_replicas, read

__all__ = ["over_replicas", "picture", "read"]
