"""The estimators: numbers in, numbers out, one idea in each file."""
