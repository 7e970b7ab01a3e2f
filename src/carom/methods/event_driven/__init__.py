"""Event-driven dynamics: from one collision to the next."""

from carom.methods.event_driven.engine import EventDriven, EventDrivenEngine

__all__ = ["EventDriven", "EventDrivenEngine"]
