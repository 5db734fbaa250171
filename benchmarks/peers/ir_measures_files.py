"""The same 21 measures of files through ir_measures: their means, as CSV.

python ir_measures_files.py JUDGMENTS RUN...
"""

import sys

import ir_measures
from ir_measures import AP_IA, ERR_IA, NRBP, P_IA, StRecall, alpha_DCG, alpha_nDCG, nERR_IA, nNRBP

AT_CUTOFFS = (ERR_IA, nERR_IA, alpha_DCG, alpha_nDCG, P_IA, StRecall)
MEASURES = [measure @ cutoff for measure in AT_CUTOFFS for cutoff in (5, 10, 20)]
MEASURES += [NRBP, nNRBP, AP_IA]


def main() -> None:
    qrels, *paths = sys.argv[1:]
    evaluator = ir_measures.evaluator(MEASURES, ir_measures.read_trec_qrels(qrels))
    print("run,measure,value")
    for path in paths:
        for measure, value in evaluator.calc_aggregate(ir_measures.read_trec_run(path)).items():
            print(f"{path},{measure},{value}")


main()
