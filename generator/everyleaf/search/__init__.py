"""Search: what of a conversation can be found, and the index that a browser searches.

entries ─▶ words (`words`) ─▶ `data/search/<session>.json` (`pages`) ─▶ Pagefind (`index`)
"""
