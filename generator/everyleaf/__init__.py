"""A static site of every unique conversation path in Claude Code session archives."""

__version__ = "0.1.0"
