"""Builders: the user's prompt builder is run in worlds of our making."""
