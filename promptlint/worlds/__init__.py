"""Worlds: what is changed between two renderings, and what moved."""
