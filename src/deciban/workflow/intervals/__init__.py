"""How the intervals of an evaluation are made."""
