"""How many trials a test needs, and what trials at hand can show."""
