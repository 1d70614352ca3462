"""What an argument is where a caller leaves it out; imports nothing, so that commands start fast."""

# How often an interval contains the truth.
DEFAULT_CONFIDENCE = 0.95
