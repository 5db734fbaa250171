"""pyndeval's 21 measures of files: their means, as CSV.

    python pyndeval_files.py JUDGMENTS RUN...

The quickest way that its interface offers: judgments are handed over once, and lines as plain
tuples, which it takes sooner than its own named ones.
"""

import sys

import pyndeval


def judgments(path):
    with open(path) as lines:
        for line in lines:
            topic, intent, document, grade = line.split()
            yield topic, intent, document, int(grade)


def run(path):
    with open(path) as lines:
        for line in lines:
            topic, _, document, _, score, _ = line.split()
            yield topic, document, float(score)


def main() -> None:
    qrels, *paths = sys.argv[1:]
    evaluator = pyndeval.RelevanceEvaluator(judgments(qrels))
    print("run,measure,value")
    for path in paths:
        totals = dict.fromkeys(evaluator.measures, 0.0)
        topics = 0
        for found in evaluator.evaluate_iter(run(path)):
            topics += 1
            for measure in totals:
                totals[measure] += found[measure]
        for measure, total in totals.items():
            print(f"{path},{measure},{total / topics}")


main()
