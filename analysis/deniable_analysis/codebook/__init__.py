"""Codebooks: what the variables of a survey's reports mean, for files of every format."""
