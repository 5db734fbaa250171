"""Topics: what was asked, and the texts and types of its subtopics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Subtopic:
    """One intent in words."""

    name: str
    text: str
    #: ``inf`` or ``nav``, as the file has it; empty where nothing was said
    type: str = ""


@dataclass(frozen=True)
class Topic:
    """A query with its description and its subtopics."""

    name: str
    query: str
    description: str = ""
    #: ``faceted``, ``ambiguous`` and so on; empty where nothing was said
    type: str = ""
    subtopics: tuple[Subtopic, ...] = ()


def intent_types(topics: Mapping[str, Topic]) -> dict[str, dict[str, str]]:
    """The types of the subtopics that have one of the two, by topic and intent."""
    return {
        name: {
            subtopic.name: subtopic.type
            for subtopic in topic.subtopics
            if subtopic.type in ("inf", "nav")
        }
        for name, topic in topics.items()
    }
