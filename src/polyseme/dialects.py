"""Dialects: how other programs see judgments and runs, and which measures they print."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from polyseme.collection.judgments import Judged
from polyseme.collection.relevance import RelevanceRules
from polyseme.collection.runs import FileLists, Joined, Ordering, Retrieved, Run, Runs
from polyseme.errors import InputError, PolysemeError, did_you_mean
from polyseme.measures.dialects import jig, ndeval, ntcireval, rbu, trec_eval
from polyseme.measures.gains import Gain, Gmax
from polyseme.policies import Policies

#: cutoffs of measures have nine digits at most
GREATEST_COUNT = 999_999_999
#: what is computed where nobody asks for anything else
USUAL_MEASURES = "I-rec@10 D-nDCG@10 D#-nDCG@10 alpha-nDCG@10 ERR-IA@10 nDCG-IA@10 RBU@10"


@dataclass(frozen=True)
class Dialect:
    """A program's policies and its usual measures."""

    name: str
    policies: Policies
    #: names of measures, separated by spaces
    measures: str
    said: tuple[tuple[str, str], ...] = ()
    #: topics are numbers, however they are spelled
    numbered_topics: bool = False
    negative_grades: bool = True

    def judged(self, judged: Judged) -> Judged:
        """Judgments as the program reads them; an error where it would refuse them."""
        if not self.negative_grades and (judged.line_grade < 0).any():
            topic, intent, document, grade = next(x for x in judged.lines() if x[3] < 0)
            raise InputError(
                f"{self.name} refuses negative grades; document {document} has {grade} "
                f"for intent {intent} of topic {topic}",
                expected="grades of 0 and more",
                remedy="make negative grades 0, or evaluate without the dialect",
            )
        return _numbered(judged) if self.numbered_topics else judged

    def runs(self, runs: Runs) -> Runs:
        """Runs as the program reads them."""
        if not self.numbered_topics:
            return runs
        return Runs(tuple(replace(run, topics=_Numbered(run)) for run in runs))

    def __str__(self) -> str:
        said = ",".join(f"{name}={value}" for name, value in self.said)
        return self.name + (f"({said})" if said else "")


_NUMBERED = re.compile(r"(?:.*-)?0*([0-9]+)", re.ASCII)


def topic_number(name: str, path: str | None = None) -> str:
    """The number that ndeval makes of a topic: ``wt09-12`` is 12."""
    found = _NUMBERED.fullmatch(name)
    if found is None:
        raise InputError(
            f"the topic {name!r} has no number",
            path=path,
            expected="topics such as 12 or wt09-12: the program numbers them",
            remedy="number the topics, or evaluate without the dialect",
        )
    return found[1]


def _numbered(judged: Judged) -> Judged:
    if all(topic_number(topic) == topic for topic in judged.topics):
        return judged
    numbers = tuple(topic_number(topic) for topic in judged.topics)
    if len(set(numbers)) < len(numbers):
        twice = next(number for number in numbers if numbers.count(number) > 1)
        raise InputError(
            f"two topics of the judgments have the number {twice}",
            expected="one spelling for each topic",
            remedy="spell the topic one way",
        )
    return replace(judged, topics=numbers)


@dataclass(frozen=True)
class _Numbered(FileLists):
    """A run's lists under the numbers of their topics."""

    run: Run

    def __call__(self) -> Iterator[Retrieved]:
        return _renamed(self.run)

    @property
    def scanned(self) -> bool:
        return isinstance(self.run.topics, FileLists) and self.run.topics.scanned

    def join(self, judged: Judged, how: Ordering) -> Joined | None:
        lists = self.run.topics
        found = lists.join(judged, how) if isinstance(lists, FileLists) else None
        if found is None:
            return None
        met = [judged.topics[topic] for topic in found.lists.topic.tolist()]
        return None if any(map(_is_renamed, [*met, *found.extra])) else found

    def prefix(self, depth: int | None, how: Ordering) -> dict[str, list[str]] | None:
        lists = self.run.topics
        found = lists.prefix(depth, how) if isinstance(lists, FileLists) else None
        return None if found is None or any(map(_is_renamed, found)) else found


def _is_renamed(topic: str) -> bool:
    """Whether a topic's number is not its name; so it is where the topic has no number."""
    found = _NUMBERED.fullmatch(topic)
    return found is None or found[1] != topic


def _renamed(run: Run) -> Iterator[Retrieved]:
    seen: dict[str, str] = {}
    for retrieved in run.topics():
        number = topic_number(retrieved.topic, run.path)
        if number in seen:
            raise InputError(
                f"the topics {seen[number]!r} and {retrieved.topic!r} are one number, {number}",
                path=run.path,
                expected="one spelling for each topic",
                remedy="spell the topic one way",
            )
        seen[number] = retrieved.topic
        yield replace(retrieved, topic=number)


# ---- options, as they are said in parentheses ---------------------------------------------------


class _Said:
    """The options of a dialect as they were said; what is left over at the end is unknown."""

    def __init__(self, name: str, said: dict[str, str]) -> None:
        self.name = name
        self._said = dict(said)
        self._known: list[str] = []

    def _take(self, option: str, expected: str, read: Callable[[str], object]) -> object | None:
        self._known.append(f"{option} ({expected})")
        text = self._said.pop(option, None)
        if text is None:
            return None
        try:
            return read(text)
        except ValueError:
            raise PolysemeError(
                f"{self.name}: {option} must be {expected}. Got {text!r} instead."
            ) from None

    def number(self, option: str, default: float) -> float:
        def read(text: str) -> float:
            value = float(text)
            if not 0 <= value <= 1:
                raise ValueError
            return value

        value = self._take(option, "a number from 0 to 1", read)
        return default if value is None else float(str(value))

    def count(self, option: str, default: int | None) -> int | None:
        def read(text: str) -> int:
            value = int(text)
            if not 1 <= value <= GREATEST_COUNT:
                raise ValueError
            return value

        value = self._take(option, f"a whole number from 1 to {GREATEST_COUNT:,}", read)
        return default if value is None else int(str(value))

    def word(self, option: str, options: tuple[str, ...]) -> str:
        def read(text: str) -> str:
            if text not in options:
                raise ValueError
            return text

        value = self._take(option, " or ".join(options), read)
        return options[0] if value is None else str(value)

    def flag(self, option: str) -> bool:
        return self.word(option, ("false", "true")) == "true"

    def done(self) -> None:
        for option in self._said:
            names = [known.partition(" ")[0] for known in self._known]
            hint = did_you_mean(option, names)
            raise PolysemeError(
                f"the dialect {self.name} has no option {option!r}"
                + (f"; {hint}" if hint else "")
                + f"\n  its options: {', '.join(self._known) or 'none'}"
            )


def parse_dialect(text: str | Dialect) -> Dialect:
    """Read ``ndeval`` or ``ndeval(alpha=0.25,traditional=true)``."""
    if isinstance(text, Dialect):
        return text
    found = re.fullmatch(r"\s*([\w-]+)\s*(?:\(([^()]*)\))?\s*", str(text))
    name = found[1] if found else str(text)
    if found is None or name not in _MAKERS:
        hint = did_you_mean(name, _MAKERS)
        raise PolysemeError(
            f"no dialect is named {name!r}"
            + (f"; {hint}" if hint else "")
            + f"\n  dialects: {', '.join(_MAKERS)}"
        )
    pairs = [piece.partition("=") for piece in (found[2] or "").split(",") if piece.strip()]
    said = {option.strip(): value.strip() for option, _, value in pairs}
    options = _Said(name, said)
    made = _MAKERS[name](options)
    options.done()
    return replace(made, said=tuple(said.items()))


# ---- the programs -------------------------------------------------------------------------------

NATIVE = Dialect("polyseme", Policies(), USUAL_MEASURES)


def _unless_usual(program: str, **parameters: tuple[float, float]) -> tuple[tuple[str, float], ...]:
    """Parameters of the program's measures that are not as they usually are: (value, usual)."""
    return tuple(
        (f"{program}:{name}", value)
        for name, (value, usual) in parameters.items()
        if value != usual
    )


def _ndeval(said: _Said) -> Dialect:
    traditional = said.flag("traditional")
    alpha, beta = said.number("alpha", 0.5), said.number("beta", 0.5)
    return Dialect(
        "ndeval",
        Policies(
            ordering=Ordering("score" if traditional else "rank", unique_ranks=not traditional),
            gain=Gain("binary"),
            average_over="retrieved",
            max_documents=said.count("max_documents", None),
            over_all_topics=said.flag("all_topics"),
            unjudged_as_zero=True,
            parameters=_unless_usual("ndeval", alpha=(alpha, 0.5), beta=(beta, 0.5)),
        ),
        " ".join(ndeval.COLUMNS),
        numbered_topics=True,
        negative_grades=False,
    )


def _trec_eval(said: _Said) -> Dialect:
    single = said.word("score", ("float32", "float64")) == "float32"
    return Dialect(
        "trec_eval",
        Policies(
            ordering=Ordering("score", single_precision=single),
            rules=RelevanceRules(negative_is_judged=False),
            adhoc="max",
            average_over="retrieved",
        ),
        " ".join(trec_eval.COLUMNS),
    )


def _ntcireval(said: _Said) -> Dialect:
    gain = said.word("gain", ("linear", "exponential"))
    cutoff = said.count("cutoff", 10)
    assert cutoff is not None
    return Dialect(
        "ntcireval",
        Policies(
            ordering=Ordering("file"),
            rules=ntcireval.RULES,
            gain=Gain("linear" if gain == "linear" else "exponential"),
            gmax=Gmax("topic"),
            parameters=_unless_usual("ntcireval", top=(cutoff, 10)),
        ),
        " ".join(ntcireval.columns(cutoff)),
    )


def _rbu(said: _Said) -> Dialect:
    p, e = said.number("p", 0.8), said.number("e", 0.03)
    return Dialect(
        "rbu",
        Policies(
            ordering=Ordering("file"),
            gain=Gain("exponential"),
            gmax=Gmax("topic"),
            parameters=_unless_usual("rbu", p=(p, 0.8), e=(e, 0.03)),
        ),
        rbu.COLUMN,
    )


def _jig(said: _Said) -> Dialect:
    cutoff = said.count("cutoff", 10)
    assert cutoff is not None
    return Dialect(
        "jig",
        Policies(ordering=Ordering("score", duplicates="nonrelevant")),
        " ".join(jig.columns(cutoff)),
    )


_MAKERS: dict[str, Callable[[_Said], Dialect]] = {
    "polyseme": lambda said: NATIVE,
    "ndeval": _ndeval,
    "ntcireval": _ntcireval,
    "trec_eval": _trec_eval,
    "rbu": _rbu,
    "jig": _jig,
}
DIALECTS: tuple[str, ...] = tuple(_MAKERS)
