"""Themes: where they are, what they declare, and their compiled templates and assets."""
