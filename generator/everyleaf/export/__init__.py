"""Paths in the formats of other programs: one file or one row for each unique path.

`steps` reads a path as what a model was told and did; a module a format writes it; `run`
takes session groups through them. What is masked on pages is masked here. All of them raise
an OSError where a source cannot be read any more, an OutputError where the folder is not
ours or the disk refuses, and a RedactError where a file cannot be cleaned of a secret.
"""
