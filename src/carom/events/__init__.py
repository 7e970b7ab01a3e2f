"""What happens next: a file is one priority queue."""

from carom.events.heap import Heap, new_heap, reschedule

__all__ = ["Heap", "new_heap", "reschedule"]
