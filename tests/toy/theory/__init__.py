"""The half of the mechanism that compilers need."""
