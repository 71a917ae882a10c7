"""Curves as data: counts in, frozen records of read-only arrays out. Nothing here draws."""
