"""Session records in, unique conversation paths out: pure, iterative, near-linear.

The rules are `paths.md`; a reading order: `solve` (the steps in order, and sessions),
`trees` (which records there are), `edges` (which hangs from which), `turns` (units),
`units` (all sessions side by side), `status`, `containment`, `views`, `describe`.
"""
