"""Faults seen in other tools, row by row: each is right here, a clear error, or named as work to come."""
