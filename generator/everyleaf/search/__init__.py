"""Search: what of a conversation can be found, and the index that a browser searches.

entries ─▶ words in `data/search/<session>.json` (`pages`) ─▶ Pagefind's index (`index`)
"""
