"""The pages and the command line: what composes all parts of deniable."""
