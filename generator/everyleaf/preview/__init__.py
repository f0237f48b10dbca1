"""A preview of a built site, on this machine only, with the headers of a host."""
