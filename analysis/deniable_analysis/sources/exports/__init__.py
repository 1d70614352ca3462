"""Exports: a survey's reports in one file, its document beside them."""
