"""`everyleaf keep`: sessions go into a store, and come out as they were.

Reading order: `sweep` (a source into a store), `hook` (one session, when Claude Code says
so), `stored` (what a store holds, and out of it again), `settings` (the hook's entry in the
settings of Claude Code). The store itself is `everyleaf.store`.
"""
