"""Surveys: what an author writes, and what devices answer."""
