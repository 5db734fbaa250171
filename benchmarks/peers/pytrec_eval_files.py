"""Four measures of files by pytrec_eval: their means, as CSV.

python pytrec_eval_files.py JUDGMENTS RUN...
"""

import sys
from collections import defaultdict

import pytrec_eval

MEASURES = {"ndcg_cut.10", "map", "P.10", "recip_rank"}


def judgments(path):
    found = defaultdict(dict)
    with open(path) as lines:
        for line in lines:
            topic, _, document, grade = line.split()
            found[topic][document] = int(grade)
    return found


def run(path):
    found = defaultdict(dict)
    with open(path) as lines:
        for line in lines:
            topic, _, document, _, score, _ = line.split()
            found[topic][document] = float(score)
    return found


def main() -> None:
    qrels, *paths = sys.argv[1:]
    evaluator = pytrec_eval.RelevanceEvaluator(judgments(qrels), MEASURES)
    print("run,measure,value")
    for path in paths:
        topics = list(evaluator.evaluate(run(path)).values())
        for measure in topics[0]:
            print(f"{path},{measure},{sum(topic[measure] for topic in topics) / len(topics)}")


main()
