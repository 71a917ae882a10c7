"""Intervals and tests: how far the numbers can be trusted."""
