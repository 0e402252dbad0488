"""Hooks of a coding agent: what it is told, and when nothing is better."""
