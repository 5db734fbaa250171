"""Do the files of a collection speak of the same topics and intents?"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from polyseme.collection.judgments import JUDGED_ONLY
from polyseme.collection.validation import Validated
from polyseme.errors import InputError


@dataclass(frozen=True)
class _Found:
    problems: list[InputError]
    remarks: list[str]


def cross_checked(files: Sequence[Validated]) -> list[Validated]:
    """The same files, each with what is odd about it in the company of the others.

    Runs, probabilities and topics are held against all judgments that are given together; topics
    in common with none of them are a problem, as they are to evaluation, and anything less is a
    remark.
    """
    intents = _united(one.names.intents for one in files)
    relevant = _united(one.names.relevant_intents for one in files)
    seen: dict[str, str] = {}
    checked: list[Validated] = []
    for one in files:
        found = _Found([], [])
        _check_names(one, seen, found)
        if intents and one.kind in ("run", "probabilities", "topics"):
            _check_runs(one, intents, found)
            _check_probabilities(one, intents, relevant, found)
            _check_topics(one, intents, found)
        checked.append(
            replace(
                one,
                problems=[*one.problems, *found.problems],
                problem_count=one.problem_count + len(found.problems),
                remarks=[*one.remarks, *found.remarks],
            )
        )
    return checked


def _united(parts: Iterable[Mapping[str, frozenset[str]]]) -> dict[str, frozenset[str]]:
    whole: dict[str, frozenset[str]] = {}
    for part in parts:
        for topic, names in part.items():
            whole[topic] = whole.get(topic, frozenset()) | names
    return whole


def _check_names(one: Validated, seen: dict[str, str], found: _Found) -> None:
    for name in one.names.topics_of_run:
        if name in seen:
            found.problems.append(
                InputError(
                    f"two runs are named {name!r}: this one, and one of {seen[name]}",
                    path=one.path,
                    expected="a name for each run",
                    remedy="rename a file, or evaluate with --run-names tag",
                )
            )
        seen[name] = one.path


def _check_runs(one: Validated, judged: Mapping[str, object], found: _Found) -> None:
    for name, topics in one.names.topics_of_run.items():
        of_run = f" of the run {name!r}" if len(one.names.topics_of_run) > 1 else ""
        _check_common(one, f"topics{of_run}", topics, judged, found)
        lacking = [topic for topic in judged if topic not in set(topics)]
        if lacking and len(lacking) < len(judged):
            found.remarks.append(
                f"{len(lacking)} of {len(judged)} judged topics are missing{of_run} "
                f"({_first(lacking)}); they score as empty lists"
            )


def _check_probabilities(
    one: Validated,
    judged: Mapping[str, Collection[str]],
    relevant: Mapping[str, Collection[str]],
    found: _Found,
) -> None:
    given = one.names.weighed
    if one.kind != "probabilities" or not given:
        return
    _check_common(one, "topics", tuple(given), judged, found)
    silent = [topic for topic in judged if topic not in given]
    if silent and len(silent) < len(judged):
        found.remarks.append(
            f"{len(silent)} of {len(judged)} judged topics have no probabilities "
            f"({_first(silent)}); uniform ones are used there"
        )
    both = [topic for topic in given if topic in judged]
    unweighed = [(t, i) for t in both for i in sorted(relevant.get(t, ())) if i not in given[t]]
    if unweighed:
        found.remarks.append(
            f"{len(unweighed)} intents with relevant documents have no probability "
            f"(the first: intent {unweighed[0][1]} of topic {unweighed[0][0]}); they count 0"
        )
    empty = [
        (topic, intent)
        for topic in both
        for intent in sorted(given[topic])
        if intent not in relevant.get(topic, ()) and intent != JUDGED_ONLY
    ]
    if empty:
        found.remarks.append(
            f"{len(empty)} intents with a probability have no relevant document "
            f"(the first: intent {empty[0][1]} of topic {empty[0][0]}); they are dropped and the "
            "others' probabilities scaled up, unless --keep-empty-intents is said"
        )


def _check_topics(one: Validated, judged: Mapping[str, object], found: _Found) -> None:
    if one.names.topics:
        _check_common(one, "topics", one.names.topics, judged, found)


def _check_common(
    one: Validated,
    what: str,
    topics: Sequence[str],
    judged: Mapping[str, object],
    found: _Found,
) -> None:
    unknown = [topic for topic in topics if topic not in judged]
    if not unknown:
        return
    if len(unknown) < len(topics):
        found.remarks.append(
            f"{len(unknown)} of {len(topics)} {what} are not judged ({_first(unknown)})"
        )
        return
    found.problems.append(
        InputError(
            f"none of the {len(topics)} {what} is judged (its first: {topics[0]!r})",
            path=one.path,
            expected=f"topics of the judgments, such as {', '.join(list(judged)[:3])}",
            remedy="give files of the same collection, with topics spelled the same way",
        )
    )


def _first(topics: Sequence[str]) -> str:
    shown = ", ".join(topics[:3])
    return f"{shown} and {len(topics) - 3} more" if len(topics) > 3 else shown
