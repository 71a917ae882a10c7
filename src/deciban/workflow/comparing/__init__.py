"""Several systems in one record, on the same trials where they can be."""
