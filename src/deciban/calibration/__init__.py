"""Calibrators: settings that fit trials, the models that result, and the bounds around them."""
