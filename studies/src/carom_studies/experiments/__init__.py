"""Systems and runs that several entries, or entries and benchmarks, share."""
