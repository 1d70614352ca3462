"""The list of surveys, and the pages with the results of each survey."""
