"""From a line to a record: recovery, kinds, envelopes, the index of a file.

Reading order: `recover` (a line's objects), `kinds` (what a record counts as), `envelope`
(what the graph needs of it), `index` (a whole file), `load` (records again, in full).
"""
