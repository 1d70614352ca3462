"""The definitions of surveys, as authors write them: read, checked and completed."""
