"""What each tool's calls show: one small module a family, found through `registry`."""
