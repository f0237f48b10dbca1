"""What a site consists of: addresses, transcripts, comparisons and lists."""
