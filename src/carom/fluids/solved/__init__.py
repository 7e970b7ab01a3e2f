"""Flows that are solved for, step by step, and may feel the particles in them."""
