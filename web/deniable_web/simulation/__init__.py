"""Surveys that are answered from a table of true answers, and their estimates beside the truth."""
