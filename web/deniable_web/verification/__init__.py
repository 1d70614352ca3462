"""Verifies that a live form is, byte for byte, what this version makes."""
