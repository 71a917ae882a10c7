"""Evaluations of three-class trials: countermeasures, verifiers, both in tandem, and one system that does both."""
