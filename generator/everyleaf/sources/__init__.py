"""Where sessions lie on disk: discovery, layouts, lines with their byte offsets.

Reading order: `files` (what is found), `content` (what a file is, by its first lines),
`gathering` (files as they are met), `walk` (folders and layouts), `discover` (the inputs),
`lines` (one file), `projects` (names for people).
"""
