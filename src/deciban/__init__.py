"""Measure how good scores and likelihood ratios are."""
