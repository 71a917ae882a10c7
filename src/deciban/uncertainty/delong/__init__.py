"""The AUC: its variance, its intervals and its tests in closed form."""
