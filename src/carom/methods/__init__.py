"""The ways to run a system: the only folder with time loops."""

from carom.methods.counts import Counts
from carom.methods.event_driven import EventDriven
from carom.methods.laden import Coupled, Laden, PowerOfRadius
from carom.methods.method import Engine, Method
from carom.methods.stepped import SoftContacts, TimeStepped

__all__ = [
    "Counts",
    "Coupled",
    "Engine",
    "EventDriven",
    "Laden",
    "Method",
    "PowerOfRadius",
    "SoftContacts",
    "TimeStepped",
]
