"""What pages say, in each language: one JSON file a language, with the same names in each.

To add a language, translate a file and name it in ``LANGUAGES``; tests tell what is missing.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from importlib.resources import files

#: by the code that browsers know it by: what it calls itself
LANGUAGES = {"en": "English", "ja": "日本語"}
DEFAULT = "en"
#: messages that the script in the browser says
_OF_SCRIPT = ("script.", "state.", "item.progress", "item.unfinished", "votes.one")

Say = Callable[..., str]


@cache
def messages(language: str) -> dict[str, str]:
    """All messages of a language, by name."""
    text = (files(__name__) / f"{language}.json").read_text(encoding="utf-8")
    found: dict[str, str] = json.loads(text)
    return found


def say(language: str) -> Say:
    """A function that says a message, its {gaps} filled."""
    known = messages(language)

    def said(name: str, **values: object) -> str:
        return known[name].format(**values)

    return said


@cache
def script_messages(language: str) -> str:
    """The messages that the script says, as JSON."""
    known = messages(language)
    return json.dumps(
        {name: text for name, text in known.items() if name.startswith(_OF_SCRIPT)},
        ensure_ascii=False,
    )


def preferred(chosen: str | None, accepted: str) -> str:
    """The language that was chosen, else the one that a browser likes best of those there are."""
    if chosen in LANGUAGES:
        return chosen
    wanted: list[tuple[float, str]] = []
    for part in accepted.split(",")[:20]:
        name, _, weight = part.partition(";q=")
        code = name.strip().lower().partition("-")[0]
        try:
            wanted.append((float(weight or 1), code))
        except ValueError:
            continue
    known = [(weight, code) for weight, code in wanted if code in LANGUAGES and weight > 0]
    return max(known, key=lambda each: each[0])[1] if known else DEFAULT
