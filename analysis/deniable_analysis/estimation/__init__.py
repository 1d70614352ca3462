"""From the counts of a survey's blocks to the estimates of its questions."""
