"""Changing what a session is called and which of its branches resumes; nothing else.

The only part of everyleaf that writes to sessions: it inserts and replaces off-tree lines,
never a record of the conversation, and every change can be undone.
"""
