"""Whatever the text, names of measures, means and dialects give a value or one of our errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from polyseme import CATALOGUE, PolysemeError, parse, parse_all
from polyseme.dialects import DIALECTS, Dialect, parse_dialect
from polyseme.measures.gains import parse_gain, parse_gmax
from polyseme.measures.means import TopicMean, parse_mean
from polyseme.measures.measure import Measure

NUMBERS = "0 1 10 -1 .5 1e3 1e999 nan inf 1_0 ٣ 0x10 999999999999999999999 1:1,2:3 -1:2 1:"
OPTIONS = {
    "ndeval": "alpha beta traditional all_topics max_documents",
    "ntcireval": "gain cutoff",
    "trec_eval": "score",
    "rbu": "p e",
    "jig": "cutoff",
    "polyseme": "alpha",
}
WORDS = "linear exponential binary true false float32 float64 collection topic max own micro smr"
PARAMETERS = sorted({name for family in CATALOGUE for name in family.all_parameters})

number = st.sampled_from(NUMBERS.split())
word = st.sampled_from([*WORDS.split(), *PARAMETERS])
mark = st.sampled_from(["(", ")", "=", ",", "@", "'", "''", " ", "#", ":", "\n", "\0", "é", "’"])
name = st.sampled_from(
    [family.name for family in CATALOGUE] + [each.name for each in CATALOGUE.sets]
)
anything = st.one_of(number, word, mark, name, st.text(max_size=3))
measure_like = st.one_of(
    st.lists(anything, max_size=9).map("".join),
    st.text(max_size=30),
    st.builds(
        "{}{}({}={},{}={})@{}".format,
        name,
        st.sampled_from(["", "'", "''", "'''"]),
        *(word, st.one_of(number, word), word, st.one_of(number, word)),
        number,
    ),
)


@st.composite
def dialect_like(draw: st.DrawFn) -> str:
    called = draw(st.sampled_from(DIALECTS))
    said = draw(
        st.lists(
            st.tuples(
                st.one_of(st.sampled_from([*OPTIONS[called].split(), "other"]), anything),
                st.sampled_from(["=", "", "=="]),
                st.one_of(number, word, st.text(max_size=3)),
            ).map("".join),
            max_size=4,
        )
    )
    return f"{called}({','.join(said)})"


def value_of(read: Callable[[str], Any], text: str) -> Any:
    """What is read, or None where it is refused with an error of ours."""
    refusal = ""
    try:
        return read(text)
    except PolysemeError as error:
        refusal = str(error)
    assert refusal
    assert len(refusal) < 3000 + 3 * len(text)
    return None


@given(text=measure_like)
@example("D#-nDCG@" + "9" * 5000)
@example("RBP(p=" + "9" * 5000 + ")")
@example("P@²")
@example("nDCG(gain=1:1e400)@5")
@example("ERR(gmax=" + "9" * 400 + ")@5")
def test_any_text_gives_a_measure_that_prints_as_itself_or_an_error(text: str) -> None:
    found = value_of(parse, text)
    if found is not None:
        assert isinstance(found, Measure)
        assert parse(str(found)) == found
        assert " " not in str(found)


@given(text=st.lists(measure_like, max_size=3).map(" ".join))
def test_any_text_gives_measures_or_an_error(text: str) -> None:
    found = value_of(parse_all, text)
    if found is not None:
        assert parse_all(" ".join(map(str, found))) == found


@given(text=st.one_of(dialect_like(), measure_like))
@example("ndeval(max_documents=" + "9" * 5000 + ")")
@example("ndeval(alpha=nan)")
@example("ndeval(alpha)")
@example("jig(cutoff=99999999999)")
def test_any_text_gives_a_dialect_whose_measures_are_known_or_an_error(text: str) -> None:
    found = value_of(parse_dialect, text)
    if found is not None:
        assert isinstance(found, Dialect)
        assert parse_dialect(str(found)) == found
        assert parse_all(found.measures)


@pytest.mark.parametrize("called", DIALECTS)
def test_every_option_of_every_dialect_is_searched(called: str) -> None:
    with pytest.raises(PolysemeError) as caught:
        parse_dialect(f"{called}(nothing=1)")
    listed = str(caught.value).partition("its options: ")[2]
    for option in OPTIONS[called].split():
        assert option in listed or called == "polyseme"
    assert listed.count(" (") == len(OPTIONS[called].split()) or called == "polyseme"


@given(
    text=st.one_of(
        measure_like,
        st.builds("{}({}={})".format, st.sampled_from(["avg", "geom", "dd"]), word, number),
        st.builds("dd(xi_offset={})".format, number),
        st.builds("geom(floor={})".format, number),
    )
)
@example("dd(xi_offset=" + "9" * 5000 + ")")
def test_any_text_gives_a_mean_or_an_error(text: str) -> None:
    found = value_of(parse_mean, text)
    if found is not None:
        assert isinstance(found, TopicMean)
        assert parse_mean(str(found)) == found


@pytest.mark.parametrize("read", [parse_gain, parse_gmax])
@given(text=st.one_of(measure_like, number, st.lists(number, max_size=3).map(",".join)))
@example("9" * 5000)
def test_any_text_gives_a_gain_or_an_error(read: Callable[[str], Any], text: str) -> None:
    try:
        found = read(text)
    except (PolysemeError, ValueError):
        return
    assert read(str(found)) == found
