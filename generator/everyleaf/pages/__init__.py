"""What a site consists of: addresses, transcripts, comparisons and lists.

What draws raises a ThemeError where the theme is missing or broken, and an OSError where a
source cannot be read any more.
"""
