"""An installed wheel has everything that pages are made of."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from judging.servers import PASSWORD, Browser, Server, invited
from judging.studies import new_study
from polyseme.judging import tasks

pytestmark = pytest.mark.slow

#: polyseme from the wheel and nowhere else: without -S, an editable installation would win
RUNNER = """\
import sys
sys.path[:0] = [{installed!r}, {site!r}]
import polyseme
assert polyseme.__file__.startswith({installed!r}), polyseme.__file__
from polyseme.cli import main
main()
"""


def pip(*arguments: str, root: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pip", *arguments, "--no-deps", "--quiet", "--no-input"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env={**os.environ, "PIP_CONSTRAINT": "constraints.txt", "PYTHONWARNINGS": "ignore"},
    )
    if "No matching distribution" in done.stderr or "No module named pip" in done.stderr:
        pytest.skip("what builds wheels is not at hand here")
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory, root: Path) -> list[str]:
    """The command of a polyseme that was installed from its wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", ".", "-w", str(folder), "-C", "wheel.cmake=false", root=root)
    (wheel,) = folder.glob("polyseme-*.whl")
    installed = folder / "installed"
    pip("install", str(wheel), "--no-index", "--target", str(installed), root=root)
    runner = folder / "runner.py"
    site = sysconfig.get_path("purelib")
    runner.write_text(RUNNER.format(installed=str(installed), site=site), encoding="utf-8")
    return [sys.executable, "-S", str(runner)]


@contextmanager
def served(study: str, program: list[str]) -> Iterator[Server]:
    server = Server(study, program=program)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def loaded(page: str) -> set[str]:
    """What a page loads of its own."""
    return set(re.findall(r"(?:href|src)=\"(/static/[^\"]+)\"", page))


@pytest.mark.parametrize("task", tasks.TASKS)
def test_every_page_is_made_of_what_the_wheel_holds(
    program: list[str], tmp_path: Path, task: str
) -> None:
    study = new_study(tmp_path / "study.db", task)
    (link,) = invited(study, 1)
    with served(study, program) as server, ExitStack() as stack:
        judge, organiser = Browser(server.port), Browser(server.port)
        stack.callback(judge.close)
        stack.callback(organiser.close)
        assets: set[str] = set()
        for path in ("/", link.path, "/organiser"):
            reply = judge.get(path)
            assert reply.status == 200, path
            assets |= loaded(reply.body.decode())
        assert judge.join(link.secret).status == 303
        assert organiser.submit("/organiser/login", password=PASSWORD).status == 303
        for language in ("en", "ja"):
            accepted = {"Accept-Language": language}
            pages = [(judge, path) for path in ("/", "/guidelines", "/practice", "/items/1")]
            for browser, path in [*pages, (organiser, "/organiser")]:
                reply = browser.ask("GET", path, headers=accepted)
                assert reply.status == 200, (path, reply.body)
                text = reply.body.decode()
                assert f'<html lang="{language}">' in text
                assets |= loaded(text)
        assert judge.get("/document?doc=practice:1").status == 200
        assert {each.partition("?")[0].rpartition("/")[2] for each in assets} == {
            "judging.css",
            "judging.js",
            "icon.svg",
        }
        for asset in assets:
            reply = judge.get(asset)
            assert (reply.status, reply.headers["cache-control"]) == (
                200,
                "public, max-age=31536000, immutable",
            )
            assert reply.body
        assert judge.get("/static/nothing.js").status == 404
        assert judge.get("/static/..%2fpages.py").status == 404
