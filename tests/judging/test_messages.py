"""Everything that pages say is in the catalogue, in every language, and nothing else is in it."""

from __future__ import annotations

import re
import string
from html.parser import HTMLParser
from pathlib import Path

import pytest

import polyseme.judging
from polyseme.judging import pages, tasks
from polyseme.judging.messages import (
    DEFAULT,
    LANGUAGES,
    messages,
    preferred,
    say,
    script_messages,
)

HOUSE = Path(polyseme.judging.__file__).parent
TEMPLATES = sorted((HOUSE / "templates").glob("*.html"))
OTHERS = [name for name in LANGUAGES if name != DEFAULT]


def gaps(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_says_everything(language: str) -> None:
    assert list(messages(language)) == list(messages(DEFAULT))


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_fills_the_same_gaps(language: str) -> None:
    for name, text in messages(DEFAULT).items():
        assert gaps(messages(language)[name]) == gaps(text), name


@pytest.mark.parametrize("language", OTHERS)
def test_nothing_is_left_untranslated(language: str) -> None:
    same = {
        name
        for name, text in messages(DEFAULT).items()
        if messages(language)[name] == text and re.search(r"[A-Za-z]{2}", text)
    }
    assert not same


def test_japanese_is_written_in_japanese() -> None:
    for name, text in messages("ja").items():
        words = re.sub(r"\{\w+\}", "", text)
        if re.search(r"\w", words):
            assert re.search(r"[\u3040-\u30ff\u4e00-\u9fff]", words), name


def test_every_file_of_messages_is_a_language() -> None:
    there = {path.name.removesuffix(".json") for path in (HOUSE / "messages").glob("*.json")}
    assert there == set(LANGUAGES)


# ---- what is said is what is there --------------------------------------------------------------


def said() -> set[str]:
    """The names of messages in templates, the script and the code, gaps in names as stars."""
    found: set[str] = set()
    for path in TEMPLATES:
        text = path.read_text(encoding="utf-8")
        for name, more in re.findall(r"\bt\([\"']([\w.]+)[\"'](\s*~)?", text):
            found.add(f"{name}*" if more else name)
        found |= {
            f"{name}*" for name in re.findall(r"\"((?:preferences|grades|votes)\.answer\.)\"", text)
        }
        found |= set(re.findall(r"t\(\"(guidelines\.)\" ~", text)) and {"guidelines.*"}
    script = (HOUSE / "static" / "judging.js").read_text(encoding="utf-8")
    for name in re.findall(r"\b(?:say|tell)\(\s*[\"`]([\w.]+(?:\$\{)?)", script):
        found.add(name.replace("${", "*"))
    for path in HOUSE.glob("*.py"):
        code = path.read_text(encoding="utf-8")
        for name in re.findall(r"f?\"([a-z_]+\.[\w.]*(?:\{)?)", code):
            found.add(name.replace("{", "*"))
    return (
        found | {f"{name}_about" for name in found if name.startswith("refused.")} | {"refused.*"}
    )


def covers(name: str, pattern: str) -> bool:
    return name == pattern or (pattern.endswith("*") and name.startswith(pattern[:-1]))


def test_every_message_is_said_somewhere() -> None:
    known = said() | {f"keys.{name}" for name in ("preferences", "grades", "votes")}
    known |= {
        f"keys.{name}" for name in re.findall(r": \"(\w+)\"", Path(pages.__file__).read_text())
    }
    unsaid = [name for name in messages(DEFAULT) if not any(covers(name, each) for each in known)]
    assert not unsaid


def test_everything_that_is_said_is_there() -> None:
    families = {name.partition(".")[0] for name in messages(DEFAULT)}
    wanted = {name for name in said() if name.partition(".")[0] in families}
    missing = [
        name
        for name in wanted
        if "." in name
        and not name.endswith(("_about", ".html", ".js", ".css", ".*"))
        and not any(covers(each, name) for each in messages(DEFAULT))
    ]
    assert not missing


@pytest.mark.parametrize("task", tasks.TASKS)
def test_every_task_has_its_words(task: str) -> None:
    known, kind = messages(DEFAULT), tasks.of(task)
    assert {f"list.what.{task}", f"organiser.what.{task}", f"keys.{task}"} <= set(known)
    assert all(f"{task}.answer.{choice}" in known for choice in kind.choices)
    assert all(f"{task}.question.{name}" in known for name in kind.questions)
    assert all(f"export.{name}" in known for name in kind.exports)
    assert all(f"organiser.question.{name}" in known for name in (*kind.questions, task)) or (
        task == "preferences"
    )
    assert set(pages.KEYS[task]) == set(kind.choices)


def test_all_reasons_and_states_have_words() -> None:
    known = messages(DEFAULT)
    assert all(f"cannot.{reason}" in known for reason in pages.REASONS)
    assert all(f"state.{state}" in known for state in pages.STATES)


class Words(HTMLParser):
    """Words that stand in a template itself."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.quiet = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.quiet += tag in ("style", "kbd")
        spoken = ("title", "alt", "placeholder", "aria-label")
        self.found += [value or "" for name, value in attrs if name in spoken]

    def handle_endtag(self, tag: str) -> None:
        self.quiet -= tag in ("style", "kbd")

    def handle_data(self, data: str) -> None:
        if not self.quiet:
            self.found.append(data)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_no_template_has_words_of_its_own(path: Path) -> None:
    source = re.sub(r"\{% block kind %\}.*?\{% endblock %\}", "", path.read_text("utf-8"))
    text = re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", "", source, flags=re.DOTALL)
    words = Words()
    words.feed(text)
    assert not [word for word in words.found if re.search(r"[A-Za-z]{2}", word)]


def test_the_check_sees_words() -> None:
    words = Words()
    words.feed('<p title="Hello">there</p><kbd>Esc</kbd>')
    assert words.found == ["Hello", "there"]


# ---- which language -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chosen", "accepted", "language"),
    [
        (None, "", "en"),
        (None, "ja", "ja"),
        (None, "ja-JP,ja;q=0.9,en;q=0.8", "ja"),
        (None, "fr, en;q=0.2, ja;q=0.5", "ja"),
        (None, "fr,de", "en"),
        (None, "ja;q=0, en;q=0.1", "en"),
        (None, "ja;q=x,,;q=", "en"),
        ("ja", "en", "ja"),
        ("en", "ja", "en"),
        ("xx", "ja", "ja"),
        ("../en", "ja", "ja"),
    ],
)
def test_the_language_is_what_was_chosen_or_what_the_browser_likes(
    chosen: str | None, accepted: str, language: str
) -> None:
    assert preferred(chosen, accepted) == language


def test_gaps_are_filled() -> None:
    assert say("en")("item.progress", done=3, total=10) == "3 of 10 done"
    assert say("ja")("item.progress", done=3, total=10) == "10 件中 3 件完了"
    with pytest.raises(KeyError):
        say("en")("no.such")


def test_the_script_gets_its_messages_and_no_others() -> None:
    assert '"script.saved": "Saved"' in script_messages("en")
    assert "list.title" not in script_messages("en")
