"""Paths in the formats of other programs: one file or one row for each unique path.

`steps` reads a path as what a model was told and did; a module a format writes it; `run`
takes session groups through them. What is masked on pages is masked here.
"""
