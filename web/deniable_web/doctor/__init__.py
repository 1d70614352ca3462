"""Checks an installation, from outside as respondents reach it and from inside its machine."""
