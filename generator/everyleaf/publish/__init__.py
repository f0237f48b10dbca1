"""Writes a site into its folder: plan first, then replace what changed, one file at a time.

The folder is ours if its `manifest.json` says so. What is not in the manifest is never
touched; what a killed build left behind is found again and finished by the next one.
"""
