"""Files of scores: which kind each is, how it is read, and what is said when it cannot be."""
