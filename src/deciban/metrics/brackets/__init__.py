"""Brackets of figures whose scores are known by their buckets only: for each family of metrics what holds for all."""
