"""From code to the conversation that led to it.

lines ─▶ the commit that wrote each (git blame) ─▶ the edit in a session ─▶ its prompt
"""
