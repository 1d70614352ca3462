"""Reports of a survey's results to share: the results page on paper, with the method."""
