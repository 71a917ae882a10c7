"""Readers of score files as fields write them: scores alone or beside a key, joined by ids into one table."""
