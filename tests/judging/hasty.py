"""The server with one thing wrong, for the control: it tells before it commits."""

from __future__ import annotations

from collections.abc import Sequence

from polyseme.cli import main
from polyseme.judging import writer
from polyseme.judging.protocol import Refused
from polyseme.judging.writer import Job, Writer


class Hasty(Writer):
    """Answers as soon as the statements have run."""

    def _commit(self, jobs: Sequence[Job]) -> None:
        with self._database.writing() as connection:
            for job in jobs:
                try:
                    with connection.begin_nested():
                        job.outcome.set_result(job.work(connection))
                except Refused as refused:
                    job.outcome.set_exception(refused)


if __name__ == "__main__":
    from polyseme.judging import store

    writer.Writer = store.Writer = Hasty  # type: ignore[misc,attr-defined]
    main()
