"""`everyleaf keep`: sessions go into a store, and come out as they were.

Reading order: `stored` (a source into a store, and out of it again), `hook` (one session,
when Claude Code says so), `settings` (the hook's entry in the settings of Claude Code). The
store itself is `everyleaf.store`.
"""
