"""Opening an archive to ask it something: what all commands that only look go through.

`reading` reads and masks, `named` finds what a person means, `families` hands out the work.
"""
