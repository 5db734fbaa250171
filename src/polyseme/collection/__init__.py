"""Judgments, runs and what joins them: ranked lists reduced to what judgments know of them."""
