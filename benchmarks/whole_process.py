"""Runs evaluated from files to a CSV of means, as whole processes: polyseme and its peers.

    python benchmarks/whole_process.py [NAME...] [--rounds N] [--folder FOLDER]

Every contender is a command, started anew, and all take turns; medians are told, how many times
polyseme's each one takes, and the largest memory. polyseme computes 30 measures and ndeval's 21
columns, the peers the 21 columns. `wc -l` is what reading the files costs at least.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from _contest import Contender, contest, installed, made, ours, peer, tell, tell_versions

EVERY = "sakai2019 trec"
THREE = ("ERR_IA@20", "alpha_nDCG@20", "StRecall@20")
AD_HOC = "nDCG@10 AP(norm=R) P@10 RR"


def against_peers(
    judgments: Path, runs: Sequence[Path], *, pyndeval: float, ir_measures: float, memory: float
) -> list[Contender]:
    files = [judgments, *runs]
    command = ours("evaluate", *files, "-m", EVERY, "--format", "csv", "--quiet")
    found = [Contender("polyseme", command, most_memory=memory)]
    if installed("pyndeval"):
        found.append(Contender("pyndeval", peer("pyndeval_files.py", *files), pyndeval))
    if installed("ir_measures"):
        found.append(Contender("ir_measures", peer("ir_measures_files.py", *files), ir_measures))
    return [*found, Contender("wc -l", ["wc", "-l", *files])]


def many_runs(folder: Path) -> list[Contender]:
    """48 runs x 50 topics x 1,000 documents, 4 intents, 300 judged a topic"""
    judgments, runs = made(folder, runs=48, topics=50, documents=1000, intents=4, judged=300)
    return against_peers(judgments, runs, pyndeval=10, ir_measures=18, memory=60)


def many_intents(folder: Path) -> list[Contender]:
    """24 runs x 100 topics x 1,000 documents, 10 intents, 300 judged a topic"""
    judgments, runs = made(folder, runs=24, topics=100, documents=1000, intents=10, judged=300)
    return against_peers(judgments, runs, pyndeval=10, ir_measures=18, memory=60)


def many_topics(folder: Path) -> list[Contender]:
    """10 runs x 20,000 topics x 100 documents, 6 intents, 30 judged a topic"""
    judgments, runs = made(folder, runs=10, topics=20_000, documents=100, intents=6, judged=30)
    return against_peers(judgments, runs, pyndeval=12, ir_measures=40, memory=400)


def growing(folder: Path) -> list[Contender]:
    """2 runs x 20,000 and 100,000 topics x 100 documents, 6 intents: five times the work"""
    found = []
    for topics in (20_000, 100_000):
        judgments, runs = made(
            folder / str(topics), runs=2, topics=topics, documents=100, intents=6, judged=30
        )
        command = ours("evaluate", judgments, *runs, "-m", EVERY, "--format", "csv", "--quiet")
        found.append(Contender(f"{topics:,} topics", command))
    return found


def one_run(folder: Path) -> list[Contender]:
    """one run x 50 topics x 1,000 documents, 4 intents, as a fresh command"""
    judgments, runs = made(folder, runs=48, topics=50, documents=1000, intents=4, judged=300)
    three = "ERR-IA@20 alpha-nDCG@20 I-rec@20"

    def command(measures: str) -> Sequence[str | Path]:
        return ours("evaluate", judgments, runs[0], "-m", measures, "--quiet")

    found = [
        Contender("polyseme, three measures", command(three)),
        Contender("polyseme, all 51", command(EVERY)),
        Contender("polyseme --version", ours("--version")),
    ]
    if installed("ir_measures"):
        theirs = [ours()[0].parent / "ir_measures", judgments, runs[0], *THREE]  # type: ignore[union-attr]
        found.insert(1, Contender("ir_measures, three measures", theirs, 2))
    return found


def one_intent(folder: Path) -> list[Contender]:
    """48 runs x 50 topics x 1,000 documents, ad hoc judgments and four measures"""
    judgments, runs = made(folder, runs=48, topics=50, documents=1000, intents=1, judged=300)
    files = [judgments, *runs]
    command = ours("evaluate", *files, "-m", AD_HOC, "--adhoc", "max", "--quiet")
    found = [Contender("polyseme", command)]
    for package, script in (
        ("pytrec_eval-terrier", "pytrec_eval_files.py"),
        ("ranx", "ranx_files.py"),
    ):
        if installed(package):
            found.append(Contender(package, peer(script, *files)))
    return found


WORK: dict[str, Callable[[Path], list[Contender]]] = {
    "many-runs": many_runs,
    "many-intents": many_intents,
    "one-run": one_run,
    "one-intent": one_intent,
    "many-topics": many_topics,
    "growing": growing,
}
#: the peers take minutes for these
LONG = {"many-topics": 3, "growing": 3}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(WORK))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--folder", type=Path, help="where files are kept for the next time")
    parser.add_argument("--alone", action="store_true", help="polyseme only")
    said = parser.parse_args()
    unknown = [name for name in said.names if name not in WORK]
    if unknown:
        parser.error(f"no work is named {unknown[0]!r}; there are {', '.join(WORK)}")
    for name in said.names or WORK:
        with tempfile.TemporaryDirectory() as temporary:
            contenders = WORK[name]((said.folder or Path(temporary)) / name)
            if said.alone:
                contenders = [each for each in contenders if "polyseme" in str(each.command[0])]
            rounds = min(said.rounds, LONG.get(name, said.rounds))
            taken = contest(contenders, rounds)
        tell(f"{name}: {WORK[name].__doc__}", contenders, taken)
    tell_versions()


if __name__ == "__main__":
    main()
