"""How the tables of a study came to be, step by step."""
