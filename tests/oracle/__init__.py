"""Figures of merit straight from their definitions: slow, exact, and sharing nothing with the library."""
