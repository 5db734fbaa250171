"""Scores as commands are given them: files of scores, or judgments and runs to be scored."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, update_wrapper
from typing import Any

import click
import numpy as np

from polyseme.cli import options
from polyseme.cli.definitions import catalogue_with
from polyseme.cli.names import names_in
from polyseme.cli.output import Output
from polyseme.cli.progress import Progress
from polyseme.collection.formats.scores import ROLES
from polyseme.collection.formats.weights import read_topic_weights
from polyseme.collection.reading import read_qrels, read_runs
from polyseme.dialects import NATIVE, Dialect, parse_dialect
from polyseme.errors import InputError
from polyseme.evaluation import evaluate, wanted
from polyseme.measures.catalogue import Catalogue
from polyseme.measures.means import TopicMean, parse_means
from polyseme.score_files import read_scores
from polyseme.scores import Scores

#: options that say how scores are made; scores that are read are made already
_MAKING = (
    *("dialect", "probabilities", "topics_xml", "gain", "gmax", "order", "duplicates"),
    *("average_over", "keep_empty_intents", "relevant_from", "adhoc"),
)
_FORMATS = ("input_format", "runs_format", "run_names")
_READING = ("wide", "matrix", "where", "column", "keep_topic_all")

missing = click.option(
    "--missing",
    type=click.Choice(("zero", "drop-topic")),
    help="Where a run lacks a topic: count 0, or leave the topic out for all.  [default: error]",
)
_files = click.argument("files", nargs=-1, metavar="[QRELS RUN...]")
_scores = options.all_of(
    click.option(
        "--scores",
        multiple=True,
        metavar="FILE",
        help="Scores in place of judgments and runs: CSV, JSON lines or Parquet with the columns "
        "run,topic,measure,value, or run,topic and a column a measure. Repeatable.",
    ),
    click.option("--wide", is_flag=True, help="The scores have a column for each measure."),
    click.option(
        "--matrix",
        is_flag=True,
        help="Each file of scores is a matrix, a row a topic and a column a run; "
        "the measure is the file's name.",
    ),
    click.option(
        "--where",
        multiple=True,
        metavar="COLUMN=VALUE",
        help="Read only the scores that have this value in a column. Repeatable.",
    ),
    click.option(
        "--column",
        multiple=True,
        metavar="ROLE=NAME",
        help=f"Name of the column that holds the {', '.join(ROLES)}. Repeatable.",
    ),
    click.option(
        "--keep-topic-all",
        is_flag=True,
        help="Keep the topic `all`, which stands for the mean, as if it were a topic.",
    ),
)


@dataclass(frozen=True)
class GivenScores:
    """What was said of scores; they are made or read when asked for."""

    files: tuple[str, ...]
    paths: tuple[str, ...]
    measures: tuple[str, ...]
    define: tuple[str, ...]
    mean: tuple[str, ...] = ()
    only_topics: str | None = None
    jobs: int = 1
    engine: str = "threads"
    said: dict[str, Any] = field(default_factory=dict)

    def scores(self, output: Output, also: Sequence[str] = ()) -> Scores:
        """The scores, where they are made those of ``also`` too; a bar shows the progress."""
        return self.read() if self.are_read else self._made(output, also)

    @property
    def are_read(self) -> bool:
        """Whether scores were given, and not judgments and runs; an error if not just one is."""
        if bool(self.files) == bool(self.paths):
            raise click.UsageError(
                "give either judgments and runs, or scores with --scores FILE"
                if self.files
                else "nothing was given: name judgments and runs, or say --scores FILE"
            )
        return bool(self.paths)

    def read(self) -> Scores:
        """Scores from files."""
        for name in (*_MAKING, *_FORMATS):
            value = self.said[name]
            if value not in (None, False, "file"):
                raise click.UsageError(
                    f"--{name.replace('_', '-')} is for judgments and runs: scores are made already"
                )
        if self.define:
            raise click.UsageError("--define is for judgments and runs: scores are made already")
        if self.said["wide"] and self.said["matrix"]:
            raise click.UsageError("take either --wide or --matrix")
        options.check_standard_input(*self.paths)
        layout = "wide" if self.said["wide"] else "matrix" if self.said["matrix"] else None
        found = read_scores(
            *self.paths,
            layout=layout,  # type: ignore[arg-type]
            columns=_assigned(self.said["column"], "--column"),
            where=_assigned(self.said["where"], "--where"),
            keep_topic_all=self.said["keep_topic_all"],
        )
        found = replace(found, provenance={**found.provenance, "scores": list(self.paths)})
        if self.measures:
            found = found.select(measures=named_measures(self.measures, found.measures))
        topics = names_in(self.only_topics, "topics")
        if topics is not None:
            found = found.select(topics=topics)
        return _weighed(replace(found, means=self.means))

    @cached_property
    def catalogue(self) -> Catalogue:
        """The measures that there are, the user's own among them."""
        return catalogue_with(self.define)

    def _made(self, output: Output, also: Sequence[str]) -> Scores:
        chosen = wanted((*self.wanted_or_usual, *also), self.catalogue)
        said = self.inputs()
        with Progress(len(self.files) - 1, quiet=output.quiet) as progress:
            return evaluate(
                said.pop("judgments"),
                said.pop("runs"),
                chosen,
                mean=self.means,
                jobs=self.jobs,
                progress=progress.step,
                **said,
            )

    @property
    def dialect(self) -> Dialect:
        said = self.said["dialect"]
        return NATIVE if said is None else parse_dialect(said)

    @property
    def wanted_or_usual(self) -> tuple[str, ...]:
        """The measures that were named, else those of the dialect."""
        return self.measures or (self.dialect.measures,)

    def inputs(self) -> dict[str, Any]:
        """Judgments and runs that were read, and the policies: arguments of ``evaluate``."""
        for name in _READING:
            if self.said[name]:
                raise click.UsageError(f"--{name.replace('_', '-')} goes with --scores FILE")
        if len(self.files) < 2:
            raise click.UsageError("name the runs after the judgments")
        judgments, *runs = self.files
        options.check_standard_input(*self.files, *(self.said[name] for name in _MAKING))
        form = self.said["input_format"]
        return {
            "judgments": read_qrels(judgments, format=form),
            "runs": read_runs(
                *runs, format=self.said["runs_format"] or form, names=self.said["run_names"]
            ),
            "only_topics": names_in(self.only_topics, "topics"),
            **{name: self.said[name] for name in _MAKING if name != "dialect"},
            "dialect": self.dialect,
        }

    @property
    def means(self) -> tuple[TopicMean, ...]:
        return parse_means(self.mean or "avg")


def given(*, mean: bool = False, engine: bool = False) -> options.Decorator[Any]:
    """Judgments and runs, or ``--scores``; the command's function gets them as ``given``."""
    return options.all_of(
        _files,
        _scores,
        options.measures,
        options.define,
        *([options.mean] if mean else []),
        missing,
        options.policies,
        options.inputs,
        options.jobs,
        *([options.engine] if engine else []),
        _into_given,
    )


def _into_given(function: Callable[..., Any]) -> Callable[..., Any]:
    def called(*args: Any, **said: Any) -> Any:
        held = GivenScores(
            files=said.pop("files"),
            paths=said.pop("scores"),
            measures=said.pop("measures"),
            define=said.pop("define"),
            mean=said.pop("mean", ()),
            only_topics=said.pop("only_topics"),
            jobs=said.pop("jobs"),
            engine=said.pop("engine", None) or "threads",
            said={name: said.pop(name) for name in (*_MAKING, *_FORMATS, *_READING)},
        )
        return function(*args, given=held, **said)

    return update_wrapper(called, function)


def _weighed(scores: Scores) -> Scores:
    """The scores with the weights of topics that their means want."""
    weights = {}
    for mean in scores.means:
        if mean.kind == "dd":
            raise click.UsageError(
                f"--mean {mean} needs judgments: give them and runs in place of --scores"
            )
        if mean.kind == "weights":
            given = read_topic_weights(mean.source)
            lacking = [topic for topic in scores.topics if topic not in given]
            if lacking:
                raise InputError(
                    f"there is no weight for topic {lacking[0]}, and {len(lacking) - 1} more",
                    path=mean.source,
                    expected="lines `topic weight`, one for every topic",
                    remedy="add the missing topics",
                )
            weights[str(mean)] = np.array([given[topic] for topic in scores.topics])
    return replace(scores, topic_weights=weights)


def _assigned(pairs: Sequence[str], option: str) -> dict[str, str]:
    held: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not (name and equals):
            raise click.UsageError(f"{option} takes NAME=VALUE. Got {pair!r} instead.")
        held[name] = value
    return held


def named_measures(said: Sequence[str], known: Sequence[str]) -> list[str]:
    """Measures of scores by name; a name stands for itself before it is taken for a list."""
    found: list[str] = []
    for text in said:
        found += [text] if text in known else _listed(text)
    return list(dict.fromkeys(found))


def _listed(text: str) -> list[str]:
    """Names between blanks and commas, but for commas between parentheses."""
    return re.findall(r"(?:\([^)]*\)|[^\s,(])+", text)
