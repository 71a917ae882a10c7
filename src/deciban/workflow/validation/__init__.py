"""The validation matrix of a likelihood-ratio method: criteria read from a file, decided one by one, in one record."""
