"""Entries of a document drawn as HTML and as Markdown."""
