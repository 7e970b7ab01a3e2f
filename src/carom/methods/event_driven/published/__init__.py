"""The algorithms as they were published: references for the fast ones, and what studies compare."""
