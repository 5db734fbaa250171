"""``polyseme evaluate``."""

from __future__ import annotations

from typing import Any

import click

from polyseme.cli import options
from polyseme.cli.definitions import catalogue_with
from polyseme.cli.names import names_in
from polyseme.cli.output import Output
from polyseme.cli.progress import Progress
from polyseme.collection.reading import read_qrels, read_runs
from polyseme.dialects import NATIVE, parse_dialect
from polyseme.evaluation import evaluate as score
from polyseme.evaluation import wanted
from polyseme.kernels import keep_memory
from polyseme.measures.means import parse_means
from polyseme.reporting.scores import report_of_means, report_of_scores


@click.command(
    short_help="Score runs by measures.",
    epilog=options.examples(
        "polyseme evaluate judgments.qrels runs/*.run --probabilities probabilities.txt",
        'polyseme evaluate judgments.qrels runs/*.run -m "D#-nDCG@10 ERR-IA\'@20" -o scores.csv',
        "polyseme evaluate judgments.qrels runs/*.run -m golbus2013@10 --mean avg --mean geom",
        "polyseme evaluate judgments.qrels runs/*.run --dialect trec_eval --per-topic",
        "polyseme evaluate judgments.qrels runs/*.run -m I-rec@10 --format latex",
        "polyseme evaluate judgments.qrels runs/*.run --memory 1G --engine processes --jobs 2",
        "polyseme evaluate judgments.qrels runs/*.run --resume half-done --per-topic",
    ),
)
@click.argument("judgments")
@click.argument("runs", nargs=-1, required=True)
@options.measures
@options.define
@options.mean
@click.option("--per-topic", is_flag=True, help="Values of each topic, and the means.")
@click.option("--per-intent", is_flag=True, help="Values of each intent, where a measure has them.")
@options.policies
@options.inputs
@options.jobs
@options.partitions
@options.output()
def evaluate(
    judgments: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    define: tuple[str, ...],
    mean: tuple[str, ...],
    per_topic: bool,
    per_intent: bool,
    dialect: str | None,
    only_topics: str | None,
    input_format: str | None,
    runs_format: str | None,
    run_names: Any,
    jobs: int,
    engine: str | None,
    memory: str | None,
    resume: str | None,
    output: Output,
    **policies: Any,
) -> None:
    """Score RUNS by measures.

    JUDGMENTS and RUNS are files of TREC, NTCIR, CSV, JSON lines or Parquet, plain or compressed;
    - is standard input. Without -m the measures are those of the dialect, and without a dialect
    those that diversity tracks report.

    CSV has the columns run, topic, measure and value; the topic of a mean is `all`, `all:geom`
    and so on. With --per-intent there is a column for the intent.

    What is larger than memory is worked on in partitions, some topics at a time: each of --memory,
    --engine and --resume asks for that. The means are the same. Values of topics are then a data
    set of Parquet files in FOLDER/per-topic, where FOLDER is that of --resume; and a folder, or an
    address such as s3://bucket/folder, may stand for the files in it.
    """
    options.check_standard_input(judgments, *runs, *policies.values())
    if per_topic and per_intent:
        raise click.UsageError("take either --per-topic or --per-intent")
    catalogue = catalogue_with(define)
    spoken = NATIVE if dialect is None else parse_dialect(dialect)
    chosen = wanted(measures or spoken.measures, catalogue)
    means = parse_means(mean or "avg")
    only = names_in(only_topics, "topics")
    if engine or memory or resume:
        if per_intent:
            raise click.UsageError("--per-intent is not for partitions: leave --memory out")
        from polyseme.partitioned import evaluate_partitions

        with output.opened() as write, Progress(quiet=output.quiet) as progress:
            found = evaluate_partitions(
                judgments,
                runs,
                chosen,
                resume=resume,
                per_topic=per_topic,
                engine=engine or ("processes" if jobs > 1 else "serial"),
                jobs=jobs,
                memory=memory,
                dialect=spoken,
                mean=means,
                only_topics=only,
                format=input_format,
                runs_format=runs_format,
                names=run_names,
                catalogue=catalogue,
                progress=progress.reached,
                **policies,
            )
            progress.done()
            write(report_of_means(found))
        return
    keep_memory()
    with output.opened() as write, Progress(len(runs), quiet=output.quiet) as progress:
        scores = score(
            read_qrels(judgments, format=input_format),
            read_runs(*runs, format=runs_format or input_format, names=run_names),
            chosen,
            dialect=spoken,
            mean=means,
            per_intent=per_intent,
            only_topics=only,
            jobs=jobs,
            progress=progress.step,
            **policies,
        )
        progress.done()
        write(report_of_scores(scores, per_topic=per_topic, per_intent=per_intent))
