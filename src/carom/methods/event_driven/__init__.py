"""Event-driven dynamics: from one collision to the next."""

from carom.methods.event_driven.engine import EventDrivenEngine
from carom.methods.event_driven.event_driven import EventDriven

__all__ = ["EventDriven", "EventDrivenEngine"]
