"""Measuring: a builder rendered in changed worlds becomes a layout with lifetimes."""
