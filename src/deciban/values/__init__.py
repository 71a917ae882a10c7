"""What everything is made of: arrays, exact numbers, units, options that are checked, and records as JSON."""
