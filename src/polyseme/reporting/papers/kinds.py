"""The kinds of tables that papers print, and of which findings they are."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from polyseme.errors import PolysemeError
from polyseme.reporting.formats import BINARY, FORMATS, write
from polyseme.reporting.kinds import Kind, Kinds, Option
from polyseme.tables import Report, Table

_ONLY = Option("only", "Topics to show.  [default: some from end to end]", "LIST", many=True)
_NUMBER = Option("number", "How many topics to show.", "N", int)


def _kind(
    name: str,
    summary: str,
    of: str,
    command: str,
    module: str,
    papers: str,
    examples: tuple[str, ...],
    options: tuple[Option, ...] = (),
    presets: Mapping[str, Any] | None = None,
    *,
    several: bool = False,
) -> Kind:
    home = f"polyseme.reporting.papers.{module}"
    return Kind(
        *(name, summary, (of,), command, home, options, papers, examples, presets or {}),
        source=command,
        several=several,
    )


_DESCRIBING = {"grades": False, "per_topic": False, "per_intent": False}
_ALL = (
    _kind(
        "collection",
        "Topics, intents, pool depth, runs and grades of a collection.",
        "Description",
        "describe",
        "collections",
        "Sakai 2013, table 1, and Sakai et al. 2012, table 1",
        ("polyseme table collection judgments.qrels runs/*.run --teams teams.csv -o table.tex",),
        presets={**_DESCRIBING, "exact": False, "ranks": (), "raw": False, "xi_offset": 0},
        several=True,
    ),
    _kind(
        "grades",
        "How many judgments have each grade.",
        "Histogram",
        "describe",
        "collections",
        "Sakai et al. 2012, table 2",
        ("polyseme table grades judgments.qrels --format markdown",),
        presets={**_DESCRIBING, "grades": True, "exact": False, "ranks": (), "raw": False},
        several=True,
    ),
    _kind(
        "teams",
        "Contributions, runs and best run of each team.",
        "LeaveOneOut",
        "loo",
        "reuse",
        "Sakai 2013, table 2, and Sakai et al. 2012, table 3",
        (
            "polyseme table teams judgments.qrels runs/*.run --teams teams.csv --depth 20 "
            "-m D#-nDCG@10 --best-by ERR-IA@10",
        ),
        presets={"per_run": False},
    ),
    _kind(
        "correlation",
        "Rank correlations between measures, or between means over topics.",
        "Correlations",
        "correlate",
        "measures",
        "Sakai 2013, table 3, Sakai and Zeng 2019, table 1, and Golbus et al. 2013, tables 5 to 8",
        (
            'polyseme table correlation judgments.qrels runs/*.run -m "I-rec@10 D-nDCG@10 '
            'D#-nDCG@10 ERR-IA@10" -o correlation.tex',
            "polyseme table correlation judgments.qrels runs/*.run -m ntcir --show interval",
            "polyseme table correlation judgments.qrels runs/*.run -m ERR-IA@10 --mean avg "
            "--mean geom --mean dd --show tau",
        ),
        (
            Option(
                "show",
                "What a cell says: tau, tau and tau_ap, or tau with its 95% interval.  "
                "[default: tau-ap]",
                choices=("tau", "tau-ap", "interval"),
            ),
        ),
        several=True,
    ),
    _kind(
        "explanation",
        "An ideal list and a run's on one topic, also without a team and condensed.",
        "Explanation",
        "explain",
        "reuse",
        "Sakai 2013, table 4",
        (
            "polyseme table explanation judgments.qrels runs/alder-1.run runs/*-2.run --topic 1 "
            '-m "D#-nDCG@10 ERR-IA@10" --without-team alder-1 --depth 20 -o explained.html',
        ),
    ),
    _kind(
        "leave-one-out",
        "What leaving out each team does to the score and the rank of its best run.",
        "LeaveOneOut",
        "loo",
        "reuse",
        "Sakai 2013, tables 5 and 6, and Sakai et al. 2012, table 5",
        (
            "polyseme table leave-one-out judgments.qrels runs/*.run --teams teams.csv --depth 20 "
            '-m "I-rec@10 D-nDCG@10 D#-nDCG@10 ERR-IA@10" -o without.tex',
        ),
        (
            Option(
                "view",
                "Views of lists to show: raw, condensed or discounted.  [default: the first two]",
                "VIEW",
                many=True,
            ),
        ),
        presets={"per_run": False},
    ),
    _kind(
        "significance",
        "Significant differences between teams, false alarms and missed ones.",
        "DepthSignificance",
        "depth",
        "reuse",
        "Sakai et al. 2012, table 4",
        (
            'polyseme table significance judgments.qrels runs/*.run -m "I-rec D-nDCG D#-nDCG" '
            "--pools 5 --cutoffs 5,20 --teams teams.csv --trials 1000",
        ),
        presets={"significance": True},
    ),
    _kind(
        "topics",
        "Documents of each subtopic and diversity difficulty, from end to end.",
        "TopicDescription",
        "describe",
        "collections",
        "Golbus et al. 2013, table 1",
        ("polyseme table topics judgments.qrels --topics-xml topics.xml --number 4",),
        (_ONLY, _NUMBER),
        presets={**_DESCRIBING, "per_topic": True, "ranks": (), "raw": False},
    ),
    _kind(
        "difficulty",
        "The least, the largest and the mean diversity difficulty of a collection.",
        "TopicDescription",
        "describe",
        "collections",
        "Golbus et al. 2013, table 2",
        ("polyseme table difficulty judgments.qrels --xi-offset 1",),
        presets={**_DESCRIBING, "per_topic": True, "ranks": (), "raw": False},
        several=True,
    ),
    _kind(
        "miss-rates",
        "Subtopic miss rates at several ranks.",
        "IntentDescription",
        "describe",
        "collections",
        "Golbus et al. 2013, table 3",
        ("polyseme table miss-rates judgments.qrels --only 1,2 --format latex",),
        (_ONLY, _NUMBER),
        presets={**_DESCRIBING, "per_intent": True},
    ),
    _kind(
        "maxima",
        "The largest power, sensitivity or tau over alpha and lambda.",
        "GridValues",
        "grid",
        "measures",
        "Golbus et al. 2013, tables 9 and 10",
        (
            "polyseme table maxima judgments.qrels --of sensitivity --orders 100 -o table-10.tex",
            "polyseme table maxima judgments.qrels runs/*.run --of power --trials 100 "
            "--alpha 0,.5 --lambda 0,.5,1 --cutoff 10",
        ),
        several=True,
    ),
    _kind(
        "unanimity",
        "From the most unanimous measure to the least one.",
        "Unanimity",
        "unanimity",
        "measures",
        "Sakai and Zeng 2019, table 2",
        ("polyseme table unanimity judgments.qrels runs/*.run -m sakai2019@10 -o unanimity.tex",),
    ),
    _kind(
        "discrimination",
        "Significantly different pairs and the smallest significant difference.",
        "Discrimination",
        "discriminate",
        "measures",
        "Sakai and Zeng 2019, table 3",
        (
            "polyseme table discrimination judgments.qrels runs/*.run -m ntcir --trials 1000 "
            "--format latex",
        ),
    ),
    _kind(
        "reliability",
        "Krippendorff's alpha of all judges and without each of them.",
        "Reliability",
        "agree",
        "people",
        "Sakai and Zeng 2019, table 4",
        (
            "polyseme table reliability --preferences relevance.csv --preferences diversity.csv "
            "-o judges.tex",
        ),
        presets={"reliable": True, "majority": False},
    ),
    _kind(
        "agreement",
        "How measures agree with preferences, the best one first.",
        "AgreementTable",
        "agree",
        "people",
        "Sakai and Zeng 2019, tables 5 and 6",
        (
            "polyseme table agreement judgments.qrels runs/*.run -m sakai2019 "
            "--triplets triplets.csv --preferences diversity.csv -o agreement.tex",
        ),
        presets={"reliable": False, "majority": False},
        several=True,
    ),
    _kind(
        "properties",
        "Which measures violate which formal properties.",
        "PropertyAnalysis",
        "properties",
        "measures",
        "Albahem et al. 2018, table 1",
        (
            'polyseme table properties -m "ACT AP-IA(norm=R) trec" --length 5 -o violations.tex',
            'polyseme table properties -m "ACT P@5" --length 5 --every',
        ),
        (Option("every", "Also the measures that violate nothing.", flag=True),),
        presets={"pairs": False, "counter_examples": False, "truncated": False, "examples": 1},
    ),
)
KINDS = Kinds("table", "set", _ALL)


def table_of(
    *found: Any, kind: str | None = None, names: Sequence[str] = (), **options: Any
) -> Table:
    """A table of findings as a paper sets it; of several, such as those of two collections."""
    chosen = KINDS.chosen(found, kind)
    make = chosen.function(KINDS.what, options)
    made: Table = make(*found, **({"names": names} if chosen.several else {}), **options)
    return made


def report_as(
    *found: Any, kind: str | None = None, names: Sequence[str] = (), **options: Any
) -> Report:
    """The findings with that table for people, which says all that a reader needs."""
    table = table_of(*found, kind=kind, names=names, **options)
    title = KINDS.chosen(found, kind).summary.rstrip(".")
    held: Report = found[0].report()
    data = held.data if len(found) == 1 else table
    return replace(held, data=data, tables=(table,), notes=(), title=title, facts={})


def written(found: Any, form: str, kind: str | None = None, **options: Any) -> str:
    """Findings as text; without a kind as the commands print them."""
    if form in BINARY or form not in FORMATS:
        texts = ", ".join(each for each in FORMATS if each not in BINARY)
        raise PolysemeError(f"form must be {texts}. Got {form!r} instead.")
    report = found.report() if kind is None else report_as(found, kind=kind, **options)
    stream = io.StringIO()
    write(report, form, stream)
    return stream.getvalue()
