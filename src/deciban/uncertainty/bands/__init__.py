"""Bands: limits around a curve that hold at each of its points by themselves."""
