"""The same four measures of files by ranx: their means, as CSV.

    python ranx_files.py JUDGMENTS RUN...

ranx compiles itself when it is used first, and keeps what it compiled on disk: run it once before
you measure.
"""

import sys

from ranx import Qrels, Run, evaluate

MEASURES = ["ndcg@10", "map", "precision@10", "mrr"]


def main() -> None:
    path, *paths = sys.argv[1:]
    qrels = Qrels.from_file(path, kind="trec")
    print("run,measure,value")
    for path in paths:
        run = Run.from_file(path, kind="trec")
        for measure, value in evaluate(qrels, run, MEASURES, make_comparable=True).items():
            print(f"{path},{measure},{value}")


main()
