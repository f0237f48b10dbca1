"""Where sessions lie on disk: discovery, layouts, lines with their byte offsets.

Reading order: `files` (what is found), `lines` (one file, and what it is), `gathering`
(files as they are met), `walk` (folders and layouts), `discover` (the inputs), `projects`
(names for people).
"""
