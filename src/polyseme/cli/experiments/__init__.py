"""Declared experiments: a file of TOML says what is computed, and a folder gets all of it."""
