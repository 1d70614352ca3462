"""What only authors write: the questions and crosstabs of a definition."""
