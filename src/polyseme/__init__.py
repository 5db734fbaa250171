"""polyseme: evaluation of search results when one query has several intents."""

__version__ = "0.1.0"
