"""Drafts of surveys, which authors share; they contain no answers."""
