"""The fast algorithms: one event per particle in a calendar, neighbours in cells or in lists."""
