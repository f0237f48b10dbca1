"""What a build remembers for the next one, privately, in the user's cache folder.

The same input always gives the same bytes, so that state only saves work. What is missing,
damaged, old or not ours is ignored and made again.
"""
