"""One page of each kind in the built example."""

from __future__ import annotations

FORKED = "79ed1050-ccef-45dc-8af9-83a96646ca71"
"""A session with four paths: the last is ACTIVE, the third a withdrawn prompt."""
EDITED = "66e54b32-a2e7-4065-974c-867d582949af"
"""A session whose two paths edit one file."""

KINDS = {
    "index": "index.html",
    "project": "projects/ladle.html",
    "session": f"sessions/session_{FORKED}.html",
    "transcript": f"transcripts/transcript_{FORKED}_path4.html",
    "abandoned": f"transcripts/transcript_{FORKED}_path2.html",
    "withdrawn": f"transcripts/transcript_{FORKED}_path3.html",
    "agent": "agents/agent_2abbdf99-9580-4822-a1b9-ed7aa0ef9936_a8b53dfdac0532e91.html",
    "compare": f"compare/compare_{EDITED}_1_2.html",
    "file": "files/ladle--src-scale.ts-4ff85443.html",
    "report": "report.html",
    "not found": "404.html",
}
