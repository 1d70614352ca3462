"""The pages and the command line, which combine all parts of deniable."""
