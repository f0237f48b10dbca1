"""Session records in, unique conversation paths out: pure, iterative, near-linear.

The rules are `paths.md`; a reading order: `identity` (which records are the same),
`edges` (which record hangs from which), `turns` (units), `forest` (what comes out),
`numbers`, `status`, `containment`, `titles`, `solve` (the steps in order).
"""
