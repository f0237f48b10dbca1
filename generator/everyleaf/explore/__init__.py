"""Reading an archive at the terminal: what is in it, where something was said, one path.

Every module takes an `Archive`, or the files that it would be made of, and returns values.
A pattern that takes too long is a SourceError, a source that is gone an OSError; the rest
is raised by `opening`.
"""
