"""Opening an archive to ask it something: what all commands that only look go through.

`reading` reads, masks and hands out the work, `named` finds what a person means. What takes
a `Scope` raises a SourceError where the input cannot be read, or nothing in it is what was
named, and a RedactError where secrets cannot be looked for.
"""
