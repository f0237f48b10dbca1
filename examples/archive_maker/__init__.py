"""Writes the example archive: invented sessions in the shape that Claude Code leaves on disk."""
