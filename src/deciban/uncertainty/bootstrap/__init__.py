"""Replicates: the observed counts drawn again, and intervals and tests from them."""
