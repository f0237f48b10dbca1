"""What must not be published is found and masked: between the records and everything else.

sources ─▶ gather (decoded texts) ─▶ detect ─▶ findings (what, where) ─▶ masks

Whatever stands on a page went through a `SessionRedactor`: the raw record
before it is modelled, and the text of a spilled output before it is shown.
"""
