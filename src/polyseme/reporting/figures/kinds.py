"""The kinds of figures: what each shows, of which findings, and with what options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from polyseme.reporting.figures.picture import Figure
from polyseme.reporting.kinds import Kind, Kinds, Option

_TITLE = Option("title", "Title; an empty one is left out.", "TEXT")
_MEASURE = Option("measure", "Measure to show.  [default: the first]", "MEASURE")
_MEASURES = Option("only", "Measures to show.  [default: all]", "MEASURE", many=True)
_DISCOUNT = Option("discount", "Discount to show.  [default: DCG]", choices=("ERR", "DCG", "RBP"))


def _kind(
    name: str,
    summary: str,
    of: str,
    command: str,
    module: str,
    options: tuple[Option, ...] = (),
    papers: str = "",
    examples: tuple[str, ...] = (),
    presets: Mapping[str, Any] | None = None,
    source: str = "",
) -> Kind:
    """Any figure can have another title."""
    home = f"polyseme.reporting.figures.{module}"
    return Kind(
        *(name, summary, tuple(of.split()), command, home, (*options, _TITLE), papers),
        *(examples, presets or {}, source or command),
    )


_ALL = (
    _kind(
        "rankings",
        "Runs ranked by several measures over one axis.",
        "Scores",
        "evaluate",
        "rankings",
        options=(Option("by", "Measure that orders the runs.  [default: the first]", "MEASURE"),),
        papers="Sakai 2013, figure 1",
        examples=(
            'polyseme plot rankings judgments.qrels runs/*.run -m "ERR-IA@10 I-rec@10 D#-nDCG@10" '
            "-o rankings.svg",
            "polyseme evaluate judgments.qrels runs/*.run --per-topic -o scores.csv",
            "polyseme plot rankings --scores scores.csv --by I-rec@10 -o rankings.html",
        ),
        source="plot_scores",
    ),
    _kind(
        "scatter",
        "Runs by diversity and relevance, with lines of equal D#.",
        "Scores",
        "evaluate",
        "scatter",
        options=(
            Option("x", "Measure of the horizontal axis.  [default: I-rec]", "MEASURE"),
            Option("y", "Measure of the vertical axis.  [default: a D-measure]", "MEASURE"),
            Option("gamma", "Weight of the horizontal axis in D#.  [default: 0.5]", "X", float),
        ),
        papers="Sakai 2013, figure 2",
        examples=(
            'polyseme plot scatter judgments.qrels runs/*.run -m "I-rec@10 D-nDCG@10" '
            "-o scatter.pdf",
            'polyseme plot scatter judgments.qrels runs/*.run -m "P@10 ERR-IA@10" --x P@10 '
            "--y ERR-IA@10 -o other.png --theme dark",
        ),
        source="plot_scores",
    ),
    _kind(
        "leave-one-out",
        "Runs ranked with all judgments and without those of a team, its runs marked.",
        "LeaveOneOut",
        "loo",
        "leaving_out",
        options=(
            Option("team", "Team to leave out.  [default: the one that it changes most]", "TEAM"),
            _MEASURE,
            Option(
                "view",
                "Views of lists to show: raw, condensed or discounted.  [default: the first two]",
                "VIEW",
                many=True,
            ),
        ),
        papers="Sakai 2013, figures 3 to 6, and Sakai et al. 2012, figure 2",
        examples=(
            "polyseme plot leave-one-out judgments.qrels runs/*.run --teams teams.csv --depth 20 "
            '-m "D#-nDCG@10 ERR-IA@10" -o without.svg',
            "polyseme plot leave-one-out judgments.qrels runs/*.run --teams teams.csv --depth 20 "
            '-m "D#-nDCG@10 ERR-IA@10" --team alder --measure ERR-IA@10 -o without-alder.html',
        ),
    ),
    _kind(
        "depth",
        "Panels of tau and tau_ap between shallower pools and deeper judgments.",
        "DepthStudy",
        "depth",
        "depths",
        papers="Sakai et al. 2012, figure 1",
        examples=(
            'polyseme plot depth judgments.qrels runs/*.run -m "I-rec D-nDCG D#-nDCG" --pools 5 '
            "--cutoffs 5,10,20,50 -o depth.svg",
        ),
        presets={"significance": False},
    ),
    _kind(
        "depth-rankings",
        "Runs ranked with a shallower pool and with deeper judgments, a panel a measure.",
        "DepthStudy",
        "depth",
        "depths",
        options=(Option("pool", "Depth of the pool to show.  [default: the shallowest]", "N"),),
        papers="Sakai et al. 2012, figure 1",
        examples=(
            'polyseme plot depth-rankings judgments.qrels runs/*.run -m "I-rec D-nDCG D#-nDCG" '
            "--pools 5 --cutoffs 5,20 -o changes.svg",
        ),
        presets={"significance": False},
    ),
    _kind(
        "difficulty",
        "A histogram of the topics' diversity difficulty.",
        "TopicDescription",
        "describe",
        "difficulty",
        options=(Option("width", "Width of a bar.  [default: 0.05]", "X", float),),
        papers="Golbus et al. 2013, figure 2",
        examples=(
            "polyseme plot difficulty judgments.qrels -o difficulty.svg",
            "polyseme plot difficulty judgments.qrels --exact --width 0.1 -o exact.png",
        ),
        presets={"grades": False, "per_topic": True, "per_intent": False},
    ),
    _kind(
        "grid-map",
        "Maps of sensitivity, power or tau over alpha and lambda.",
        "GridValues",
        "grid",
        "grids",
        options=(
            _DISCOUNT,
            Option("cutoff", "Cutoff to show.  [default: the deepest]", "K", int),
            Option(
                "colours",
                "One scale of colours for all panels, or for each its own.  [default: shared]",
                choices=("shared", "own"),
            ),
        ),
        papers="Golbus et al. 2013, figures 3, 6 and 7, maps in place of surfaces",
        examples=(
            "polyseme plot grid-map judgments.qrels --of sensitivity --orders 100 -o map.svg",
            "polyseme plot grid-map judgments.qrels runs/*.run --of power --trials 100 "
            "--alpha 0,.3,.6 --lambda 0,.5,1 --average cascade,micro --discount DCG -o power.html",
        ),
    ),
    _kind(
        "grid-slices",
        "Lines of sensitivity, power or tau over alpha or lambda, the other fixed.",
        "GridValues",
        "grid",
        "grids",
        options=(
            Option(
                "along",
                "Parameter to the right.  [default: lambda]",
                choices=("lambda", "alpha"),
            ),
            Option("at", "Where the other is fixed.  [default: alpha 0.3, lambda 0.5]", "X", float),
            _DISCOUNT,
        ),
        papers="Golbus et al. 2013, figures 4, 5, 8 and 9",
        examples=(
            "polyseme plot grid-slices judgments.qrels --of sensitivity --orders 100 -o slices.svg",
            "polyseme plot grid-slices judgments.qrels --of sensitivity --orders 100 "
            "--along alpha --at 0.5 --discount ERR -o alpha.pdf",
        ),
    ),
    _kind(
        "staircase",
        "P-values of all pairs of runs in ascending order, a stair a measure.",
        "Discrimination Comparison TukeyHSD",
        "discriminate",
        "staircase",
        options=(
            _MEASURES,
            Option("highest", "Highest p-value shown.  [default: 4 times the level]", "P", float),
        ),
        papers="Sakai 2006; the powers are those of Sakai and Zeng 2019, table 3",
        examples=(
            "polyseme plot staircase judgments.qrels runs/*.run -m ntcir --trials 1000 "
            "-o staircase.svg",
            "polyseme plot staircase judgments.qrels runs/*.run -m ntcir --test bootstrap "
            "--only I-rec@10 --highest 0.1 -o bootstrap.html",
        ),
    ),
    _kind(
        "means",
        "The means of runs with their intervals, and which cannot be told apart.",
        "Comparison",
        "compare",
        "forest",
        options=(_MEASURE,),
        examples=(
            'polyseme plot means judgments.qrels runs/*.run -m "D#-nDCG@10" --trials 1000 '
            "-o means.svg",
        ),
    ),
    _kind(
        "correlation",
        "How measures rank runs, compared with one of them: tau with intervals.",
        "Correlations",
        "correlate",
        "forest",
        options=(
            Option(
                "against", "Measure to compare the others with.  [default: the first]", "MEASURE"
            ),
        ),
        papers="Sakai and Zeng 2019, table 1",
        examples=(
            "polyseme plot correlation judgments.qrels runs/*.run -m ntcir -m ERR-IA@10 "
            "--against D#-nDCG@10 -o tau.svg",
        ),
    ),
    _kind(
        "agreement",
        "How measures agree with people's preferences: tau with intervals.",
        "AgreementTable",
        "agree",
        "forest",
        options=(_MEASURES,),
        papers="Sakai and Zeng 2019, tables 5 and 6",
        examples=(
            "polyseme plot agreement judgments.qrels runs/*.run -m sakai2019 "
            "--triplets triplets.csv --preferences diversity.csv -o agreement.svg",
        ),
        presets={"reliable": False, "majority": False},
    ),
    _kind(
        "preferences",
        "Runs by runs: how often people prefer the one to the other.",
        "Majority",
        "agree",
        "preferences",
        papers="the preferences of Sakai and Zeng 2019, section 6",
        examples=(
            "polyseme plot preferences --triplets triplets.csv --preferences diversity.csv "
            "-o preferences.svg",
        ),
        source="plot_preferences",
    ),
    _kind(
        "answers",
        "Judges by pairs of lists: what each judge said.",
        "Majority",
        "agree",
        "preferences",
        papers="the matrices of Sakai and Zeng 2019, section 6",
        examples=("polyseme plot answers --preferences relevance.csv -o answers.svg",),
        source="plot_preferences",
    ),
    _kind(
        "relations",
        "Short rankings and which of them should not score above which, as a tree.",
        "PropertyAnalysis",
        "properties",
        "trees",
        options=(
            Option(
                "arrows",
                "Properties whose relations are drawn, or none.  [default: those of --properties]",
                "LIST",
                many=True,
            ),
            Option(
                "measure",
                "Measure whose scores are shown.  [default: the first, if there is one]",
                "MEASURE",
            ),
        ),
        papers="Albahem et al. 2018, figures 1 to 5",
        examples=(
            "polyseme plot relations --length 2 --properties redundancy -o figure-4.svg",
            "polyseme plot relations --length 2 --arrows none -o figure-1.pdf",
            "polyseme plot relations -m ACT --length 3 -o act.html",
        ),
        presets={"pairs": False, "counter_examples": False, "truncated": False, "examples": 1},
    ),
)
KINDS = Kinds("figure", "drawn", _ALL)


def kinds_of(found: object) -> tuple[Kind, ...]:
    """The kinds that findings can be drawn as, the usual one first."""
    return KINDS.of(found)


def figure(found: object, kind: str | None = None, **options: Any) -> Figure:
    """A figure of findings: of the kind that was named, else of the usual one."""
    made: Figure = KINDS.chosen([found], kind).function(KINDS.what, options)(found, **options)
    return made
