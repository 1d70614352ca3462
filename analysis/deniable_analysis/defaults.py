"""The defaults of arguments. Importing it loads nothing else."""

# How often an interval contains the truth.
DEFAULT_CONFIDENCE = 0.95
