"""Reports as arrays and counts, which are all that estimates use."""
