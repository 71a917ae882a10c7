"""Labelled scores, validated once: the one way in for arrays of any kind."""
