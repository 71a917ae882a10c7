"""What people do with trials: evaluate them, and later compare, validate and verify."""
