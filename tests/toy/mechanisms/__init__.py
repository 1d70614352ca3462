"""The half of the mechanism that a device runs."""
