"""Look, never touch: a file is one way to look."""

from carom.observers.collision_log import CollisionLog
from carom.observers.observer import Observer
from carom.observers.record import Call, Record
from carom.observers.table import Table
from carom.observers.trajectory import Trajectory

__all__ = ["Call", "CollisionLog", "Observer", "Record", "Table", "Trajectory"]
