"""Checking: read, run the rules, merge, suppress, and say how it ended."""
