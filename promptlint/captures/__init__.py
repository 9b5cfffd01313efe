"""Captured request bodies as sessions: where each request parts from an earlier one."""
