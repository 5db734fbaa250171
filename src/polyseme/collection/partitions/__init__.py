"""Collections larger than memory, topic by topic: what is in which files, and in which part."""
