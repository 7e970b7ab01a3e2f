"""Flows that are made of random numbers."""
