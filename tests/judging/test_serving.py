"""The command that serves: starting, telling where, being the only one, and ending."""

from __future__ import annotations

import os
import re
import shlex
import signal
import socket
import subprocess
from pathlib import Path

import pytest

from commands import POLYSEME, done, run
from judging import servers
from judging.servers import Server, serving
from polyseme.errors import PolysemeError
from polyseme.judging.serving import origins_of


def test_the_examples_of_serve_start_and_end_by_an_interrupt(tmp_path: Path) -> None:
    text = done("judge", "serve", "--help").stdout.partition("Examples:\n")[2]
    lines = [line.strip() for line in text.replace("\\\n", " ").splitlines() if line.strip()]
    assert len(lines) == 2
    servers.make(str(tmp_path / "preferences.study"))
    for line in lines:
        # another test may have the port of the example
        words = [*shlex.split(line)[1:], "--port", "0"]
        process = subprocess.Popen(
            [str(POLYSEME), *words], cwd=tmp_path, stderr=subprocess.PIPE, text=True
        )
        assert process.stderr is not None
        with process.stderr:
            assert "serves preferences.study at http" in process.stderr.readline()
            process.send_signal(signal.SIGINT)
            rest = process.stderr.read()
        assert process.wait(timeout=20) == 0, rest
        assert "Traceback" not in rest


def test_an_interrupted_server_leaves_one_file_with_everything_in_it(tmp_path: Path) -> None:
    place = tmp_path / "a.study"
    (invited,) = servers.make(str(place), judges=1)
    with serving(str(place)) as server:
        browser = server.browser(invited.secret)
        assert browser.say(1).status == 200
        browser.close()
    assert not (tmp_path / "a.study-wal").exists()
    copied = tmp_path / "copy.study"
    copied.write_bytes(place.read_bytes())
    assert "judge01" in done("judge", "export", copied).stdout


def test_a_study_is_served_by_one_process(place: str) -> None:
    servers.make(place)
    with serving(place):
        result = subprocess.run(
            [str(POLYSEME), "judge", "serve", place, "--port", "0"],
            capture_output=True,
            text=True,
            check=False,
            timeout=40,
        )
    assert result.returncode == 1
    assert "is being served already" in result.stderr


def test_judges_are_invited_while_the_study_is_served(place: str) -> None:
    servers.make(place)
    with serving(place) as server:
        link = done("judge", "invite", place, "--judges", "1", "--quiet").stdout
        found = re.search(r"/join/(\S+?),", link)
        assert found is not None
        browser = server.browser(found[1])
        assert browser.get("/api/session").json["judge"] == "judge01"
        browser.close()


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    place = str(tmp_path / "a.study")
    servers.make(place)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        result = run("judge", "serve", place, "--port", str(taken.getsockname()[1]))
    assert result.exit_code == 1
    assert "choose another --port" in result.stderr


def test_origins_are_what_browsers_call_the_server() -> None:
    assert origins_of("127.0.0.1", 8080, None)[0] == "http://127.0.0.1:8080"
    assert "http://localhost:8080" in origins_of("127.0.0.1", 8080, None)
    assert origins_of("192.0.2.7", 80, None) == ["http://192.0.2.7"]
    assert origins_of("::1", 81, None)[0] == "http://[::1]:81"
    assert origins_of("0.0.0.0", 1, "https://Study.example.org/") == ["https://study.example.org"]
    with pytest.raises(PolysemeError, match="say --origin"):
        origins_of("0.0.0.0", 8080, None)


def test_nothing_secret_is_logged(tmp_path: Path) -> None:
    place = str(tmp_path / "a.study")
    (invited,) = servers.make(place, judges=1)
    log = tmp_path / "log"
    with log.open("wb") as stream:
        process = subprocess.Popen(
            [str(POLYSEME), "judge", "serve", place, "--port", "0"],
            stderr=stream,
            stdout=stream,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
    try:
        servers.until(lambda: b"listening" in log.read_bytes())
        found = re.search(rb"listening at \S+:(\d+);", log.read_bytes())
        assert found is not None
        browser = Server(place, port=int(found[1])).browser(invited.secret)
        browser.get(f"/join/{invited.secret}")
        browser.close()
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=20)
    assert invited.secret.encode() not in log.read_bytes()
