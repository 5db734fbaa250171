"""All rankings of up to ten documents: scored here and by pyndeval, and checked for properties."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable

from polyseme.collection.lists import joined
from polyseme.measures.sets import parse_all
from polyseme.meta.properties import Rankings, check_properties, documents_of
from polyseme.policies import Policies
from polyseme.scoring import Scorer

try:
    import pyndeval
except ImportError:
    pyndeval = None

#: rankings that pyndeval gets at a time: all of them would be millions of objects
BLOCK = 5000


def least(work: Callable[[], object], times: int) -> float:
    """The shortest of a few runs, in seconds."""
    seconds = []
    for _ in range(times):
        begin = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - begin)
    return min(seconds)


def ours() -> tuple[float, float]:
    """Seconds to enumerate all rankings, and to score them."""
    held = Rankings()
    lists = joined(list(held.chunks()))
    scorer = Scorer(held.judged, parse_all("trec"), Policies())
    enumerating = least(lambda: list(Rankings().chunks()), 5)
    return enumerating, least(lambda: scorer.score(lists), 5)


def theirs() -> tuple[float, float]:
    """Seconds to make pyndeval's objects, and to score them."""
    rankings = Rankings()
    judgments = [line[1:] for line in rankings.judged.lines() if line[3] > 0]
    making = scoring = 0.0
    for lists in rankings.chunks(BLOCK):
        documents = list(documents_of(lists, rankings.judged))
        begin = time.perf_counter()
        qrels, run = [], []
        for number, names in enumerate(documents):
            topic = str(number)
            qrels += [pyndeval.SubtopicQrel(topic, *line) for line in judgments]
            run += [pyndeval.ScoredDoc(topic, name, -float(r)) for r, name in enumerate(names)]
        made = time.perf_counter()
        pyndeval.ndeval(qrels, run)
        making += made - begin
        scoring += time.perf_counter() - made
    return making, scoring


def main() -> None:
    enumerating, scoring = ours()
    print(f"{len(Rankings()):,} rankings by ndeval's 21 columns, seconds")
    print(f"{'':12}{'prepare':>10}{'score':>10}{'both':>10}")
    print(f"{'polyseme':12}{enumerating:10.3f}{scoring:10.3f}{enumerating + scoring:10.3f}")
    if pyndeval is not None:
        made, told = theirs()
        print(f"{'pyndeval':12}{made:10.3f}{told:10.3f}{made + told:10.3f}")
        print(
            f"{'times':12}{'':10}{told / scoring:10.1f}"
            f"{(made + told) / (enumerating + scoring):10.1f}"
        )
    for properties in ("relevance,irrelevance,redundancy,induced", "all"):
        begin = time.perf_counter()
        check_properties("all", properties=properties)
        print(f"every measure, {properties}: {time.perf_counter() - begin:.1f} s")
    print(f"largest memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")


if __name__ == "__main__":
    main()
