"""Programs as other people write them, to be run by tests: they read judgments and a run."""

from __future__ import annotations

import sys
from pathlib import Path

_READ = """\
import sys
relevant, run, topics = {}, {}, []
for line in open(sys.argv[1]):
    topic, intent, doc, grade = line.split()
    if topic not in topics: topics.append(topic)
    if int(grade) > 0: relevant.setdefault((topic, doc), set()).add(intent)
for line in open(sys.argv[2]):
    topic, _, doc, rank, score, tag = line.split()
    run.setdefault(topic, []).append((int(rank), -float(score), doc))
def precision(topic):
    docs = [doc for _, _, doc in sorted(run[topic])][:5]
    return sum((topic, doc) in relevant for doc in docs) / 5
"""

#: as ndeval prints: a table with a mean in its last line
LIKE_NDEVAL = f"""{_READ}
print("runid,topic,P@5,first")
for topic in run:
    first = sorted(run[topic])[0][2]
    print("x", topic, precision(topic), int((topic, first) in relevant), sep=",")
print("x,amean,0.5,0.5")
"""

#: as trec_eval -q prints
LIKE_TREC_EVAL = f"""{_READ}
assert all(intents == {{"0"}} for intents in relevant.values())
print("runid", "all", "x", sep="\\t")
for topic in run:
    print("P_5", topic, precision(topic), sep="\\t")
print("P_5", "all", "0.5", sep="\\t")
"""

LIKE_CSV = f"""{_READ}
print("query,judge,score")
for topic in topics:
    print(topic, "somebody", precision(topic) if topic in run else 0, sep=",")
"""


def command(folder: Path, source: str, name: str = "program") -> str:
    """The command line of a program with that source."""
    path = folder / f"{name}.py"
    path.write_text(source, encoding="utf-8")
    return f"'{sys.executable}' '{path}' {{qrels}} {{run}}"
