"""What an archive says when it is asked: what is odd, what was said, files, agents, sums.

Scope ─▶ survey (read, mask, spread families over workers) ─▶ one look a family ─▶ findings
"""
