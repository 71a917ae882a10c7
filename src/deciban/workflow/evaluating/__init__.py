"""The figures of one set of trials, in one record."""
