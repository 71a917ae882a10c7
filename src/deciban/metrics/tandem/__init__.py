"""Figures of a verifier behind a countermeasure, which take three-class counts."""
