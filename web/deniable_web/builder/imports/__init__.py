"""Converts surveys of other programs to definitions, and lists what was lost."""
