"""Velocities at the nodes of a grid: between nodes, from files, from elsewhere."""
