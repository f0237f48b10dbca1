"""The neutral document of a turn, made of its records: what both formats are drawn from."""
