"""Files that carom reads and writes for itself."""
