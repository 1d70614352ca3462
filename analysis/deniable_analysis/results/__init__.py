"""The results of an analysis: immutable, with their output formats."""
