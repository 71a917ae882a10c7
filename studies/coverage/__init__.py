"""How often intervals hold the truth: simulated data whose truth is known, and every method that deciban offers."""
