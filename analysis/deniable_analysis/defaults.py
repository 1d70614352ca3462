"""What an argument is where a caller leaves it out. Importing it loads nothing else."""

# How often an interval contains the truth.
DEFAULT_CONFIDENCE = 0.95
