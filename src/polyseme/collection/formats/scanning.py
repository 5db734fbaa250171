"""TREC files by the compiled scanners, where there are any: the same results, sooner.

A scanner reads what is plainly well formed and stops at whatever is not: a malformed line, a
document that comes twice, a broken archive. Nothing is then known but that, every function here
gives None, and whoever asked has the plain reader read the file from its beginning. So it is the
plain reader that raises every error, and its results are the ones to be met.

`COMPILED` says whether there are scanners; `POLYSEME_PLAIN=1` does without, as for the kernels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np

from polyseme import kernels
from polyseme.collection.formats.opening import Plain, Readable, Source
from polyseme.collection.judgments import Judged, Lookup, natural
from polyseme.collection.lists import Lists
from polyseme.collection.runs import Joined, Ordering
from polyseme.errors import InputError
from polyseme.groups import offsets
from polyseme.identifiers import Identifiers

if TYPE_CHECKING:
    from polyseme.collection.formats._run_scan import JudgedNames, RunScan

try:
    if not kernels.COMPILED:
        raise ImportError("the plain readers are wanted")
    from polyseme.collection.formats import _judgment_scan, _run_scan

    COMPILED = True
except ImportError:
    COMPILED = False

BLOCK = 1 << 18
_WELL, _UNUSUAL, _INTERLEAVED = 0, 1, 2


class _Scan(Protocol):
    def feed(self, block: bytes | memoryview, /) -> int: ...
    def finish(self) -> int: ...


Scan = TypeVar("Scan", bound=_Scan)


def join(source: Source, judged: Judged, how: Ordering, tag: str | None = None) -> Joined | None:
    """A TREC run's lists as ``judged`` knows them; see :meth:`Run.join`."""
    if not COMPILED:
        return None
    scan = _scan_run(source, how, tag, _names_of(judged))
    if scan is None:
        return None
    topic, length, hits, rank, row, disagreeing = scan.found()
    known = topic >= 0
    extra: tuple[str, ...] = ()
    if not known.all():
        names = scan.names_of_topics()
        extra = tuple(names[place] for place in np.flatnonzero(~known).tolist())
    lists = Lists(
        run=np.zeros(np.count_nonzero(known), dtype=np.int64),
        topic=topic[known],
        length=length[known],
        hit_start=offsets(hits[known]),
        rank=rank,
        row=row,
    )
    return Joined(lists, extra, disagreeing)


def prefix(
    source: Source, depth: int | None, how: Ordering, tag: str | None = None
) -> dict[str, list[str]] | None:
    """The first ``depth`` documents of every topic of a TREC run; see :meth:`Run.prefix`."""
    if not COMPILED or (depth is not None and depth < 0):
        return None
    scan = _scan_run(source, how, tag, None, -1 if depth is None else depth)
    if scan is None:
        return None
    counts, letters, ends = scan.first_documents()
    documents = Identifiers(letters, np.concatenate([[0], ends]))
    bounds = pairwise(offsets(counts).tolist())
    return {
        topic: documents[low:high]
        for topic, (low, high) in zip(scan.names_of_topics(), bounds, strict=True)
    }


def judgments(source: Source) -> Judged | None:
    """TREC judgments; see :class:`JudgmentBuilder`."""
    if not COMPILED:
        return None
    scan = _scanned(source, _judgment_scan.JudgmentScan)
    if scan is None:
        return None
    topics, intents = scan.names_of_topics(), scan.names_of_intents()
    topic_order = sorted(range(len(topics)), key=lambda topic: natural(topics[topic]))
    intent_order = sorted(range(len(intents)), key=lambda intent: natural(intents[intent]))
    place = np.empty(len(intents), dtype=np.int64)
    place[intent_order] = np.arange(len(intents))
    arranged = scan.arranged(np.array(topic_order, dtype=np.int64), place)
    if arranged is None:
        return None
    document_start, letters, letter_start, intent_start, places, *lines = arranged
    line_start, line_intent, line_grade = lines
    in_order = [intents[intent] for intent in intent_order]
    return Judged(
        topics=tuple(topics[topic] for topic in topic_order),
        document_start=document_start,
        documents=Identifiers(letters, letter_start),
        intent_start=intent_start,
        intents=tuple(in_order[place] for place in places.tolist()),
        given_probability=np.full(len(places), np.nan),
        navigational=np.zeros(len(places), dtype=np.bool_),
        line_start=line_start,
        line_intent=line_intent,
        line_grade=line_grade,
    )


def lookup(judged: Judged) -> Lookup:
    """Hash tables of the judged topics and of each topic's documents."""
    names = Identifiers.of(judged.topics)
    whole = np.array([0, len(names)], dtype=np.int64)
    documents = judged.documents
    return (
        (names.block, names.start, whole, *_judgment_scan.hashed(names.block, names.start, whole)),
        (
            documents.block,
            documents.start,
            judged.document_start,
            *_judgment_scan.hashed(documents.block, documents.start, judged.document_start),
        ),
    )


def _names_of(judged: Judged) -> JudgedNames:
    return _run_scan.JudgedNames(*judged.lookup)


def _scan_run(
    source: Source, how: Ordering, tag: str | None, judged: JudgedNames | None, depth: int = -1
) -> RunScan | None:
    def new(interleaved: bool) -> RunScan:
        return _run_scan.RunScan(
            how.order,
            how.single_precision,
            how.unique_ranks,
            None if tag is None else tag.encode(),
            interleaved,
            judged,
            depth,
        )

    return _scanned(source, new)


def _scanned(source: Source, new: Callable[[bool], Scan]) -> Scan | None:
    """A scanner that has read the whole file.

    Lists are let go of at the end of a topic; only where a topic comes back are they all kept.
    """
    for interleaved in (False, True):
        scan = new(interleaved)
        outcome = _fed(scan, source)
        if outcome == _WELL:
            return scan
        if outcome == _UNUSUAL:
            return None
        if outcome != _INTERLEAVED:
            raise MemoryError(f"{source.name} does not fit")
    return None


def _fed(scan: _Scan, source: Source) -> int:
    try:
        with source.open() as stream:
            for block in _blocks(stream):
                outcome = scan.feed(block)
                if outcome != _WELL:
                    return outcome
    except InputError:
        return _UNUSUAL
    return scan.finish()


def _blocks(stream: Readable) -> Iterator[bytes | memoryview]:
    """What there is to read; a long compressed file is decompressed while it is scanned."""
    if isinstance(stream, Plain):
        # into one place, again and again: fresh memory costs more than reading does
        room = memoryview(bytearray(BLOCK))
        while size := stream.read_into(room):
            yield room[:size]
        return
    block = stream.read(BLOCK)
    if len(block) < BLOCK:
        while block:
            yield block
            block = stream.read(BLOCK)
        return
    # Not at the top: most files are not compressed.
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as reader:
        while block:
            next_block = reader.submit(stream.read, BLOCK)
            yield block
            block = next_block.result()
