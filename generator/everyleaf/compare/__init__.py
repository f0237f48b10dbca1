"""Two paths held against each other: what they share, and what each made of the rest."""
