"""15 judges who answer at the same time: how many answers a second, and how long each one waits.

    python benchmarks/judging_server.py [postgresql://USER@HOST/EMPTY_DATABASE]

Each judge sends an answer, waits until it is acknowledged, which is after the commit, and sends the
next one. The server is a process of its own, as `polyseme judge serve` starts it.
"""

from __future__ import annotations

import http.client
import json
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

from polyseme.judging import making, tokens
from polyseme.judging.making import Asked, Content
from polyseme.judging.moment import Settings
from polyseme.judging.shown import Document
from polyseme.judging.store import Store

JUDGES, TRIPLETS, EACH = 15, 1127, 400
#: answers a second, and milliseconds within which 99 of 100 are acknowledged
GOALS = (300.0, 100.0)


def content() -> Content:
    runs = [f"run{number}" for number in range(TRIPLETS + 1)]
    documents = [f"doc{number}" for number in range(20)]
    rankings = {("topic", run): documents[:10] for run in runs}
    return Content(
        topics={"topic": ("a query", "")},
        items=[Asked(f"topic/{run}/run0", "topic", runs=(run, "run0")) for run in runs[1:]],
        documents={name: Document(name, f"Title of {name}", "") for name in documents},
        rankings=rankings,
    )


def made(study: str) -> list[str]:
    """Make the study: the secrets of its judges."""
    making.make(study, Settings("speed", "preferences", JUDGES, 1, 0), content())
    with Store.open(study) as store, store.writing() as moment:
        invited = tokens.invite(moment, tokens.new_names(moment, JUDGES), 1)
    return [each.secret for each in invited]


def judge(
    port: int, secret: str, number: int, waits: list[float], begin: threading.Barrier
) -> None:
    origin = f"http://127.0.0.1:{port}"
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    kind = {"Origin": origin, "Content-Type": "application/x-www-form-urlencoded"}
    connection.request("POST", "/join", f"token={secret}", kind)
    reply = connection.getresponse()
    reply.read()
    cookie = (reply.getheader("set-cookie") or "").partition(";")[0]
    headers = {"Origin": origin, "Cookie": cookie, "Content-Type": "application/json"}
    begin.wait()
    for item in range(1, EACH + 1):
        said = {
            "item": item,
            "kind": "answer",
            "key": f"{number:04}-{item:06}",
            "revision": 0,
            "seconds": 12.5,
            "answers": {"relevance": "left", "diversity": "right"},
        }
        before = time.perf_counter()
        connection.request("POST", "/api/judgments", json.dumps(said), headers)
        reply = connection.getresponse()
        reply.read()
        waits.append(time.perf_counter() - before)
        assert reply.status == 200, reply.status
    connection.close()


def measured(study: str) -> tuple[float, list[float]]:
    """Answers a second, and how long each was waited for."""
    secrets = made(study)
    command = [sys.executable, "-m", "polyseme", "judge", "serve", study, "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        try:
            server.stderr.readline()
            found = re.search(r":(\d+);", server.stderr.readline())
            assert found is not None
            waits: list[float] = []
            barrier = threading.Barrier(JUDGES + 1)
            threads = [
                threading.Thread(target=judge, args=(int(found[1]), secret, n, waits, barrier))
                for n, secret in enumerate(secrets)
            ]
            for thread in threads:
                thread.start()
            barrier.wait()
            begin = time.perf_counter()
            for thread in threads:
                thread.join()
            took = time.perf_counter() - begin
        finally:
            server.send_signal(signal.SIGINT)
    return len(waits) / took, waits


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        studies = {"SQLite": str(Path(folder) / "a.study")}
        if len(sys.argv) > 1:
            studies["PostgreSQL"] = sys.argv[1]
        print(f"{JUDGES} judges at the same time, {EACH} answers each; milliseconds")
        print("              answers/s      p50      p95      p99      max")
        for name, study in studies.items():
            rate, waits = measured(study)
            shown = np.percentile(np.array(waits) * 1000, [50, 95, 99, 100])
            print(f"{name:12}  {rate:9.0f}  " + "  ".join(f"{value:7.1f}" for value in shown))
        print(f"goals         {GOALS[0]:9.0f}                      {GOALS[1]:7.1f}")


if __name__ == "__main__":
    main()
