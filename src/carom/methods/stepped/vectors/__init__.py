"""Several contacts or pairs at a time: what the innermost loops of the stepped methods do."""
