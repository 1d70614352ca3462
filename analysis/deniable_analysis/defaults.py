"""The defaults of arguments. Importing it loads nothing else."""

# The nominal coverage of intervals.
DEFAULT_CONFIDENCE = 0.95
