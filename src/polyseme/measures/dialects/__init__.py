"""The official programs: their policies, and their measures made from the same parts as ours."""
