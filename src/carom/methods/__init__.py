"""The ways to run a system: the only folder with time loops."""

from carom.methods.counts import Counts
from carom.methods.event_driven import EventDriven
from carom.methods.method import Engine, Method

__all__ = ["Counts", "Engine", "EventDriven", "Method"]
