"""Reports of a synthetic collection, made by the command."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands import done
from reporting_pages import CHANCE, MEASURES, Made


@pytest.fixture(scope="session")
def collection_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reported") / "demo"
    done("synth", folder, "--seed", "1", "--topics", "8", "--teams", "3", "--depth", "40")
    return folder


@pytest.fixture(scope="session")
def made(collection_files: Path, tmp_path_factory: pytest.TempPathFactory) -> Made:
    path = tmp_path_factory.mktemp("page") / "report.html"
    made = Made(path, collection_files)
    done(
        *("report", made.judgments, *made.runs, "-m", MEASURES, *CHANCE, "-o", path),
        *("--teams", str(collection_files / "teams.csv"), "--depth", "20"),
        *("--topics-xml", str(collection_files / "topics.xml")),
    )
    return made
