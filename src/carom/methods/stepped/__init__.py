"""Dynamics in fixed steps: soft contacts, and hard particles."""

from carom.methods.stepped import backtrack  # noqa: F401  registers itself
from carom.methods.stepped.soft_contacts import SoftContacts
from carom.methods.stepped.time_stepped import TimeStepped

__all__ = ["SoftContacts", "TimeStepped"]
