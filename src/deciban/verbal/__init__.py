"""Verbal scales of likelihood ratios, as data files with their source."""
