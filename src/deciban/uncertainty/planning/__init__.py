"""How many trials a figure needs, and what a number of trials can show."""
