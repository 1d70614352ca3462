"""Reports of a survey's results to hand on: the results page on paper, with the method."""
