"""The judging server: people prefer lists, grade documents and vote for intents."""
