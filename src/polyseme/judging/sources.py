"""What a study asks, read from files: triplets and runs, a pool, texts of topics and intents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from polyseme.collection.formats.columns import read_columns
from polyseme.collection.formats.fields import name_of
from polyseme.collection.formats.opening import Source, source_of
from polyseme.collection.formats.report import MalformedError, Report
from polyseme.collection.formats.sniffing import sniff
from polyseme.collection.formats.titles import Titled, read_titled
from polyseme.collection.reading import read_topics
from polyseme.collection.runs import BY_SCORE, Ordering, Runs
from polyseme.errors import PolysemeError, did_you_mean
from polyseme.judging.making import Asked, Content, Intent
from polyseme.judging.shown import Document
from polyseme.meta.preferences import Triplet

EXPECTED_TOPICS = "TREC topics in XML, or CSV or JSON lines with the columns topic,query"
EXPECTED_INTENTS = "CSV, JSON lines or Parquet with the columns topic,intent,text, or TREC topics"
EXPECTED_POOL = "CSV, JSON lines or Parquet with the columns topic,doc, as polyseme pool writes"


@dataclass(frozen=True)
class Texts:
    """What is known in words."""

    #: query and description
    topics: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    intents: Mapping[str, Sequence[Intent]] = field(default_factory=dict)
    documents: Mapping[str, Titled] = field(default_factory=dict)

    @classmethod
    def read(
        cls, topics: str | None = None, intents: str | None = None, titles: str | None = None
    ) -> Texts:
        """The texts of the files that are given."""
        known = {} if topics is None else _topics(topics)
        of_intents: dict[str, list[Intent]] = {}
        if intents is not None:
            asked, of_intents = _intents(intents)
            known = {**asked, **known}
        return cls(known, of_intents, {} if titles is None else read_titled(titles))

    def topic(self, name: str) -> tuple[str, str]:
        return self.topics.get(name, (name, ""))

    def document(self, name: str) -> Document:
        held = self.documents.get(name, Titled(""))
        return Document(name, _clean(held.title) or name, _clean(held.url))


def _clean(text: str) -> str:
    """A text that every database holds, in one line."""
    held = " ".join(text.replace("\0", "\ufffd").split())
    return held.encode("utf-8", "replace").decode()


# ---- the three tasks ----------------------------------------------------------------------------


def preferences(
    triplets: Iterable[Triplet],
    runs: Runs,
    texts: Texts,
    *,
    cutoff: int,
    how: Ordering = BY_SCORE,
) -> Content:
    """Pairs of lists to compare."""
    chosen = list(triplets)
    named = {run.name: run for run in runs}
    wanted = {name: None for each in chosen for name in (each.run_a, each.run_b)}
    for name in wanted:
        if name not in named:
            hint = did_you_mean(name, named)
            raise PolysemeError(
                f"the triplets name the run {name!r}, which is not given"
                + (f"; {hint}" if hint else "")
                + "\n  to mend it: give all runs of the triplets with --runs"
            )
    first = {name: named[name].prefix(cutoff, how) for name in wanted}
    rankings: dict[tuple[str, str], list[str]] = {}
    for each in chosen:
        for name in (each.run_a, each.run_b):
            documents = first[name].get(each.topic)
            if not documents:
                raise PolysemeError(
                    f"the run {name!r} retrieved nothing for the topic {each.topic!r}, and there "
                    f"is a triplet {each.name!r}\n  to mend it: remove the triplet"
                )
            rankings[each.topic, name] = documents
    return Content(
        topics=_topics_of((each.topic for each in chosen), texts),
        items=[Asked(each.name, each.topic, runs=(each.run_a, each.run_b)) for each in chosen],
        documents=_documents_of((d for held in rankings.values() for d in held), texts),
        rankings=rankings,
    )


def grades(pool: Sequence[tuple[str, str]], texts: Texts) -> Content:
    """Documents of a pool to grade for each intent of their topics."""
    topics = _topics_of((topic for topic, _ in pool), texts)
    _check_intents(topics, texts)
    return Content(
        topics=topics,
        intents={topic: texts.intents[topic] for topic in topics},
        items=[Asked(f"{topic}/{doc}", topic, doc=doc) for topic, doc in pool],
        documents=_documents_of((doc for _, doc in pool), texts),
    )


def votes(texts: Texts) -> Content:
    """Topics whose intents are voted on."""
    topics = _topics_of(texts.intents, texts)
    return Content(
        topics=topics,
        intents=texts.intents,
        items=[Asked(topic, topic) for topic in topics],
    )


def _topics_of(names: Iterable[str], texts: Texts) -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    for name in dict.fromkeys(names):
        query, description = texts.topic(name)
        found[name] = (_clean(query) or name, _clean(description))
    return found


def _documents_of(names: Iterable[str], texts: Texts) -> dict[str, Document]:
    return {name: texts.document(name) for name in dict.fromkeys(names)}


def _check_intents(topics: Iterable[str], texts: Texts) -> None:
    lacking = [topic for topic in topics if not texts.intents.get(topic)]
    if lacking:
        raise PolysemeError(
            f"{len(lacking)} topics of the pool have no intents (the first: {lacking[0]!r})\n"
            "  to mend it: complete the file of --intent-texts"
        )


# ---- files --------------------------------------------------------------------------------------


def read_pool(path: str) -> list[tuple[str, str]]:
    """Topics and documents, as ``polyseme pool`` writes them."""
    source, report = _opened(path)
    found: dict[tuple[str, str], int] = {}
    for (topic, doc), line, text in _records(
        source, report, ("topic", "doc"), (), named=2, expected=EXPECTED_POOL
    ):
        if (topic, doc) in found:
            report.fatal(
                f"the document stands on line {found[topic, doc]} too",
                line=line,
                text=text,
                expected="each topic and document once",
                remedy="remove one of the lines",
            )
        found[topic, doc] = line
    if not found:
        report.fatal("there is not one document", expected=EXPECTED_POOL, remedy="make a pool")
    return list(found)


def _topics(path: str) -> dict[str, tuple[str, str]]:
    source, report = _opened(path)
    if _is_xml(source, report):
        known = read_topics(source).values()
        return {each.name: (each.query, each.description) for each in known}
    found: dict[str, tuple[str, str]] = {}
    for (topic, query, description), line, text in _records(
        source, report, ("topic", "query"), ("description",), named=1, expected=EXPECTED_TOPICS
    ):
        _check_once(topic in found, f"the topic {topic!r}", report, line, text)
        found[topic] = (query, description)
    return found


def _intents(path: str) -> tuple[dict[str, tuple[str, str]], dict[str, list[Intent]]]:
    """Topics where the file knows them, and the intents of each topic."""
    source, report = _opened(path)
    found: dict[str, list[Intent]] = {}
    if _is_xml(source, report):
        known = read_topics(source)
        for each in known.values():
            if each.subtopics:
                found[each.name] = [Intent(one.name, _clean(one.text)) for one in each.subtopics]
        return {name: (each.query, each.description) for name, each in known.items()}, found
    for (topic, intent, words), line, text in _records(
        source, report, ("topic", "intent", "text"), (), named=2, expected=EXPECTED_INTENTS
    ):
        held = found.setdefault(topic, [])
        again = any(one.name == intent for one in held)
        _check_once(again, f"the intent {intent!r} of topic {topic!r}", report, line, text)
        held.append(Intent(intent, _clean(words) or intent))
    if not found:
        report.fatal("there is not one intent", expected=EXPECTED_INTENTS, remedy="add some")
    return {}, found


def _opened(path: str) -> tuple[Source, Report]:
    source = source_of(path)
    return source, Report(source.name)


def _is_xml(source: Source, report: Report) -> bool:
    return sniff(source, report).format == "xml"


def _records(
    source: Source,
    report: Report,
    needed: Sequence[str],
    optional: Sequence[str],
    *,
    named: int,
    expected: str,
) -> Iterator[tuple[list[str], int, str | None]]:
    """Records whose first columns, ``named`` of them, are names."""
    for texts, line, text in read_columns(source, report, needed, optional, expected=expected):
        try:
            for name, what in zip(texts[:named], needed, strict=False):
                name_of(name, "document" if what == "doc" else what)
        except MalformedError as error:
            report.fatal(
                error.problem, line=line, text=text, expected=error.expected, remedy=error.remedy
            )
        yield texts, line, text


def _check_once(again: bool, what: str, report: Report, line: int, text: str | None) -> None:
    if again:
        report.fatal(
            f"{what} stands there twice",
            line=line,
            text=text,
            expected="each of them once",
            remedy="remove one of the lines",
        )
