"""Every engine counts the same."""
