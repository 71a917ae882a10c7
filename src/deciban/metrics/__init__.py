"""Figures of merit: counts in, numbers out. Each file holds one family; ``catalogue`` lists them all."""
