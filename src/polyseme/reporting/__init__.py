"""What was found, as tables in the formats that people and programs read."""
