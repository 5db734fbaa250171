"""Experiments: what a file declares is made, made once, and wrong declarations are told."""

from __future__ import annotations

import json
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest

from browsing import axe_violations, visiting
from commands import done, run
from polyseme.cli import COMMANDS
from polyseme.cli.experiments.commands import ANALYSES, REPORT, known_options
from polyseme.cli.experiments.places import Document
from polyseme.cli.experiments.template import TEMPLATE
from polyseme.reporting.figures.kinds import KINDS as FIGURES
from polyseme.reporting.papers.kinds import KINDS as TABLES

#: commands that find nothing that could be a table of an experiment
OTHERS = {
    *("measures", "validate", "convert", "condense", "merge", "plot", "table", "experiment"),
    *("judge", "synth", "doctor", "completion", "manual", REPORT),
}
SMALL = """
title = "Small"
seed = 3

[collection]
judgments = "judgments.qrels"
runs = ["runs/*.run"]
teams = "teams.csv"

[options]
measures = ["D#-nDCG@10", "I-rec@10"]
depth = 20
trials = 200

[tables]
formats = ["csv", "json", "markdown", "latex", "html", "table"]

[tables.scores]
command = "evaluate"

[tables.differences]
command = "compare"

[tables.leave-one-out]
kind = "leave-one-out"

[figures]
formats = ["svg", "html", "png", "json"]

[figures.leave-one-out]
kind = "leave-one-out"
measure = "I-rec@10"

[figures.scatter]
kind = "scatter"
x = "I-rec@10"
y = "D#-nDCG@10"
theme = "dark"
formats = "svg"

[report]
title = "A <small> report"
"""

drawn = pytest.mark.usefixtures("drawing")


@pytest.fixture
def drawing() -> None:
    pytest.importorskip("vl_convert")


@pytest.fixture
def place(demo: Path, tmp_path: Path) -> Path:
    """A folder with a small collection, to be changed as one likes."""
    folder = tmp_path / "place"
    shutil.copytree(demo, folder)
    return folder


def declare(folder: Path, text: str = SMALL) -> Path:
    path = folder / "small.toml"
    path.write_text(text, encoding="utf-8")
    return path


def states(*words: Any) -> dict[str, str]:
    """What became of each step, and why."""
    told = json.loads(done("experiment", *words, "--format", "json").stdout)
    return {row["step"]: f"{row['state']} {row['why']}".strip() for row in told["rows"]}


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@drawn
def test_an_experiment_run_twice_is_the_same_to_the_byte(place: Path, tmp_path: Path) -> None:
    path = declare(place)
    done("experiment", path, "--folder", tmp_path / "one")
    done("experiment", path, "--folder", tmp_path / "two", "--jobs", 2)
    one, two = contents(tmp_path / "one"), contents(tmp_path / "two")
    assert one == two
    assert {"experiment.lock.json", "index.html", "tables/scores.csv", "tables/scores.tex"} <= set(
        one
    )
    assert len(one) == 2 + 3 * 6 + 4 + 1 + 1
    assert str(tmp_path).encode() not in b"".join(one.values())
    # another place of the same files, too
    moved = shutil.copytree(place, tmp_path / "elsewhere")
    done("experiment", moved / "small.toml", "--folder", tmp_path / "three")
    assert contents(tmp_path / "three") == one


@drawn
def test_tables_are_those_of_the_commands(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done("experiment", declare(place), "--folder", tmp_path / "made")
    monkeypatch.chdir(place)
    runs = sorted(str(each) for each in Path("runs").iterdir())
    said = ("judgments.qrels", *runs, "-m", "D#-nDCG@10", "-m", "I-rec@10")
    for name, words in {
        "scores": ("evaluate", *said),
        "differences": ("compare", *said, "--trials", "200", "--seed", "3"),
        "leave-one-out": ("loo", *said, "--teams", "teams.csv", "--depth", "20"),
    }.items():
        told = (tmp_path / "made" / "tables" / f"{name}.csv").read_text(encoding="utf-8")
        assert told == done(*words, "--format", "csv").stdout, name
    figure = ("plot", "leave-one-out", *said, "--teams", "teams.csv", "--depth", "20")
    drawn = done(*figure, "--measure", "I-rec@10", "--format", "svg").stdout
    assert (tmp_path / "made" / "figures" / "leave-one-out.svg").read_text("utf-8") == drawn


@drawn
def test_what_did_not_change_is_reused_and_the_reason_is_told(place: Path) -> None:
    path = declare(place)
    steps = [f"tables.{n}" for n in ("scores", "differences", "leave-one-out")]
    steps += ["figures.leave-one-out", "figures.scatter", "report"]
    assert states(path) == dict.fromkeys(steps, "made new")
    assert states(path) == dict.fromkeys(steps, "reused")
    made = place / "small-results"
    before = contents(made)
    (made / "tables" / "scores.md").unlink()
    with (made / "tables" / "differences.csv").open("a") as stream:
        stream.write("more\n")
    assert states(path) == {
        **dict.fromkeys(steps, "reused"),
        "tables.scores": "made tables/scores.md is gone",
        "tables.differences": "made tables/differences.csv was changed",
    }
    assert contents(made) == before
    declare(place, SMALL.replace("trials = 200", "trials = 100").replace("I-rec@10", "I-rec@5"))
    assert set(states(path).values()) == {"made its declaration changed"}
    declare(place)
    assert states(path, "--only", "tables.scores") == {
        "tables.scores": "made its declaration changed"
    }
    states(path)
    assert contents(made) == before
    run_file = next((place / "runs").iterdir())
    run_file.write_text("".join(run_file.read_text("utf-8").splitlines(True)[:-1]), "utf-8")
    assert states(path)["tables.scores"] == f"made runs/{run_file.name} changed"
    assert set(states(path, "--fresh").values()) == {"made asked for"}


@drawn
def test_steps_that_are_gone_take_their_files_along_but_not_what_somebody_changed(
    place: Path,
) -> None:
    path = declare(place)
    states(path)
    made = place / "small-results"
    (made / "tables" / "scores.txt").write_text("my own\n", encoding="utf-8")
    declare(place, SMALL.replace('[tables.scores]\ncommand = "evaluate"\n', ""))
    assert states(path)["tables.scores"] == "removed it is declared no more"
    assert [each.name for each in (made / "tables").glob("scores.*")] == ["scores.txt"]
    lock = json.loads((made / "experiment.lock.json").read_text(encoding="utf-8"))
    assert "tables.scores" not in lock["steps"]
    # a format that is wanted no more goes too
    declare(place, SMALL.replace('formats = ["svg", "html", "png", "json"]', 'formats = ["svg"]'))
    states(path)
    assert [each.suffix for each in (made / "figures").glob("leave-one-out.*")] == [".svg"]


def test_a_damaged_lock_makes_everything_anew(place: Path) -> None:
    text = '[collection]\njudgments = "judgments.qrels"\n[tables.a]\nkind = "difficulty"\n'
    path = declare(place, text)
    states(path)
    (place / "small-results" / "experiment.lock.json").write_text("{", encoding="utf-8")
    assert states(path) == {"tables.a": "made new"}


def test_the_lock_has_versions_digests_and_seeds(place: Path) -> None:
    import hashlib

    text = SMALL.partition("[figures]")[0]
    done("experiment", declare(place, text), "--quiet")
    lock = json.loads((place / "small-results" / "experiment.lock.json").read_text("utf-8"))
    assert lock["seed"] == 3
    assert {"python", "polyseme", "numpy", "scipy", "vl-convert-python"} == set(lock["versions"])
    inputs = lock["steps"]["tables.scores"]["made of"]["inputs"]
    digest = hashlib.sha256((place / "judgments.qrels").read_bytes()).hexdigest()
    assert inputs["judgments.qrels"] == digest
    assert set(inputs) == {"judgments.qrels", *(f"runs/{p.name}" for p in place.glob("runs/*"))}
    asked = lock["steps"]["tables.differences"]["made of"]["asked"][0]
    assert asked[asked.index("--seed") + 1] == "3"


def test_collections_and_variants_stand_side_by_side(place: Path) -> None:
    text = """
    [collections.first]
    judgments = "judgments.qrels"
    [collections.second]
    judgments = "judgments.qrels"
    relevant-from = 2
    [tables.difficulty]
    kind = "difficulty"
    collections = ["first", "second"]
    variants = [{}, {exact = true}]
    names = ["a", "b", "c", "d"]
    [tables.second]
    kind = "difficulty"
    collection = "second"
    """
    done("experiment", declare(place, text), "--quiet")
    tables = place / "small-results" / "tables"
    rows = (tables / "difficulty.csv").read_text(encoding="utf-8").splitlines()
    assert [row.partition(",")[0] for row in rows] == ["", "a", "b", "c", "d"]
    single = (tables / "second.md").read_text(encoding="utf-8")
    assert rows[3].split(",")[1][:5] in single


def test_findings_are_made_once_for_all_steps_that_ask_the_same(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from polyseme.cli import loo

    calls = []
    real = loo.leave_one_out

    def counted(*args: Any, **said: Any) -> Any:
        calls.append(1)
        return real(*args, **said)

    monkeypatch.setattr(loo, "leave_one_out", counted)
    more = '[tables.teams]\nkind = "leave-one-out"\nview = ["raw"]\n'
    done("experiment", declare(place, SMALL.partition("[figures]")[0] + more))
    assert len(calls) == 1


# ---- what is wrong ------------------------------------------------------------------------------

START = '[collection]\njudgments = "judgments.qrels"\nruns = "runs/*.run"\n'


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ('titel = "x"', 1, "did you mean title?"),
        ("title = x", 1, "this is no TOML"),
        ("[collection]\ngein = 1", 2, "did you mean gain"),
        ('[collections.a]\njudgements = "x"', 2, "did you mean judgments?"),
        ('[options]\nmeasure = "x"\n', 2, "did you mean measures?"),
        (START + '[tables.a]\ncomand = "evaluate"', 5, "did you mean command?"),
        (START + '[tables.a]\ncommand = "evaluat"', 5, "did you mean evaluate?"),
        (START + '[tables.a]\ncommand = "convert"', 5, "there is no analysis 'convert'"),
        (START + '[tables.a]\nkind = "corelation"', 5, "did you mean correlation"),
        (START + '[tables.a]\nkind = "teams"\ncommand = "loo"', 4, "must say one kind or command"),
        (START + '[figures.a]\nkind = "scater"', 5, "did you mean scatter?"),
        (START + '[figures.a]\nkind = "scatter"\ngama = 1', 6, "did you mean gamma"),
        (START + '[figures.a]\nkind = "scatter"\ngamma = "x"', 6, "gamma must be a number"),
        (START + '[tables.a]\nkind = "correlation"\nshow = "taus"', 6, "did you mean tau"),
        (START + '[tables.a]\ncommand = "compare"\ntrials = 0', 6, "trials: 0 is not in the range"),
        (START + '[tables.a]\ncommand = "evaluate"\nper-topic = 1', 6, "must be true or false"),
        (START + '[tables.a]\ncommand = "evaluate"\nformats = ["latx"]', 6, "did you mean latex?"),
        (START + '[tables.a]\nkind = "teams"\ncollection = "b"', 6, "there is no collection 'b'"),
        (START + '[tables."a/b"]\nkind = "teams"', 4, "cannot be the name of a file"),
        (
            START.replace("*.run", "*.rn") + '[tables.a]\ncommand = "evaluate"',
            3,
            "no file is called",
        ),
        ('[tables.a]\ncommand = "evaluate"', 1, "the judgments are not said"),
        (START + '[report]\ntitel = "x"', 5, "did you mean title?"),
        (START + '[tables.a]\nkind = "teams"\nvariants = [{}, {}]', 4, "shows one finding"),
        (START + '[tables.a]\ncommand = "evaluate"\nmeasures = "D-nDGC@5"', 4, "mean D-nDCG"),
        ("seed = -1", 1, "seed must be a whole number"),
        ("tables = 3", 1, "tables must be a section"),
        ("", None, "nothing is declared"),
    ],
)
def test_wrong_declarations_are_told_with_their_line(
    text: str, line: int | None, told: str, place: Path
) -> None:
    path = declare(place, text)
    result = run("experiment", path)
    assert result.exit_code == 1
    assert told in result.stderr
    where = f"{path}:{line}: " if line else f"{path}: "
    assert result.stderr.startswith(f"error: {where}"), result.stderr
    assert "Traceback" not in result.stderr


def test_lines_of_keys_are_found_in_texts_of_several_lines(tmp_path: Path) -> None:
    text = 'a = """\n[b]\nc = 1\n"""\n# [x]\n[b]  # more\n"c d" = 1\ne.f = 2\n[[g]]\nh = 1\n'
    path = tmp_path / "x.toml"
    path.write_text(text, encoding="utf-8")
    found = Document.read(str(path)).lines
    assert found == {
        ("a",): 1,
        ("b",): 6,
        ("b", "c d"): 7,
        ("b", "e"): 8,
        ("b", "e", "f"): 8,
        ("g",): 9,
        ("g", "h"): 10,
    }


def test_a_file_that_is_not_there_or_no_text_is_told(tmp_path: Path) -> None:
    assert "polyseme experiment init writes one" in run("experiment", tmp_path / "no.toml").stderr
    (tmp_path / "bad.toml").write_bytes(b"a = '\xff'")
    assert "0xff is no UTF-8" in run("experiment", tmp_path / "bad.toml").stderr


def test_checking_makes_nothing(place: Path) -> None:
    told = done("experiment", declare(place), "--check").stdout
    assert told.endswith("6 steps, all sound\n")
    assert not (place / "small-results").exists()


# ---- the rest -----------------------------------------------------------------------------------


def test_every_command_is_an_analysis_or_something_else() -> None:
    assert set(COMMANDS) <= {*ANALYSES, *OTHERS}
    assert not {*ANALYSES} & OTHERS


def test_every_option_of_a_kind_has_its_own_name() -> None:
    """A kind's option and one of its command's cannot be told apart in a file."""
    assert {"measures", "trials", "gain", "teams", "seed"} <= known_options()
    for kinds in (FIGURES, TABLES):
        for kind in kinds.values():
            names = [option.name for option in kind.options]
            assert not {"kind", "formats", "collection", "names", "runs"} & set(names)


def test_init_writes_a_file_that_says_what_it_can_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "polyseme experiment experiment.toml" in done("experiment", "init").stdout
    text = Path("experiment.toml").read_text(encoding="utf-8")
    assert text == TEMPLATE
    assert {"collection", "options", "tables", "figures"} <= set(tomllib.loads(text))
    again = run("experiment", "init")
    assert again.exit_code == 1
    assert "--force" in again.stderr
    done("experiment", "init", "--force", "--quiet")


@drawn
def test_the_index_shows_every_figure_and_fetches_nothing(place: Path, browser: Any) -> None:
    done("experiment", declare(place, SMALL.replace("Small", "<b>Small</b>")))
    with visiting(browser, place / "small-results" / "index.html") as visit:
        assert visit.page.locator("h1").inner_text() == "<b>Small</b>"
        pictures = visit.page.locator("img")
        assert pictures.count() == 2
        for number in range(2):
            pictures.nth(number).scroll_into_view_if_needed()
            visit.page.wait_for_function(
                "n => document.images[n].complete && document.images[n].naturalWidth > 100",
                arg=number,
            )
        links = visit.page.locator("a")
        hrefs = [links.nth(n).get_attribute("href") for n in range(links.count())]
        assert all((place / "small-results" / str(href)).is_file() for href in hrefs)
        assert visit.far == []
        assert visit.problems == []
        assert axe_violations(visit) == []


def test_quiet_experiments_are_quiet(place: Path) -> None:
    with (place / "probabilities.txt").open("w", encoding="utf-8") as stream:
        stream.write("1 1 1.0\n")
    text = f'{START}probabilities = "probabilities.txt"\n[tables.a]\ncommand = "evaluate"\n'
    told = done("experiment", declare(place, text), "--fresh")
    assert "warning:" in told.stderr
    told = done("experiment", declare(place, text), "--fresh", "--quiet")
    assert told.stdout + told.stderr == ""


def test_what_was_made_before_a_step_failed_is_kept(place: Path) -> None:
    bad = '[tables.bad]\ncommand = "correlate"\nmeasures = "I-rec@10"\n'
    good = '[tables.good]\ncommand = "evaluate"\nmeasures = "I-rec@10"\n'
    path = declare(place, START + good + bad)
    result = run("experiment", path)
    assert result.exit_code == 1
    assert f"{path}:7: tables.bad: at least two rankings are needed" in result.stderr
    assert (place / "small-results" / "tables" / "good.csv").is_file()
    declare(place, START + good)
    assert states(path) == {"tables.good": "reused"}


def test_a_place_that_cannot_be_written_is_told(place: Path) -> None:
    (place / "file").write_text("", encoding="utf-8")
    path = declare(place, START + '[tables.a]\ncommand = "evaluate"\n')
    told = run("experiment", path, "--folder", place / "file" / "below")
    assert told.exit_code == 1
    assert "the folder cannot be made" in told.stderr


def test_weights_and_other_files_inside_of_names_are_inputs_too(place: Path) -> None:
    weights = place / "weights.txt"
    topics = {line.split()[0] for line in (place / "judgments.qrels").read_text().splitlines()}
    weights.write_text("".join(f"{topic} 1\n" for topic in sorted(topics)), encoding="utf-8")
    step = '[tables.a]\ncommand = "evaluate"\nmeasures = "I-rec@10"\nmean = "weights=weights.txt"\n'
    path = declare(place, START + step)
    assert states(path) == {"tables.a": "made new"}
    assert states(path) == {"tables.a": "reused"}
    weights.write_text(weights.read_text().replace(" 1\n", " 2\n", 1), encoding="utf-8")
    assert states(path) == {"tables.a": "made weights.txt changed"}
