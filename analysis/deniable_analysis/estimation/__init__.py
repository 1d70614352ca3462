"""The estimates of a survey's questions, from the counts of its blocks."""
