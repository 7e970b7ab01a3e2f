"""Who may touch whom, as a list of pairs: a file is one way to find it."""
