"""Presentation attacks: error rates by species."""
