"""Names of measures: read, written, refused, and carried from process to process."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import polyseme
from polyseme.errors import MeasureError
from polyseme.measures import Cascade, Log2, Sum
from polyseme.measures.gains import Gain, Gmax
from polyseme.measures.measure import Family, Measure
from polyseme.measures.parameters import Parameter
from polyseme.measures.sets import CATALOGUE, parse, parse_all
from strategies import tried

FAMILIES = list(CATALOGUE)
WITH_SETS = {each.name: each for each in CATALOGUE.sets}
finite = st.floats(allow_nan=False, allow_infinity=False)


# ---- any measure --------------------------------------------------------------------------------


def legal_values(family: Family, parameter: Parameter) -> st.SearchStrategy[Any]:
    """What may be said of a parameter: also numbers with many digits, and gain tables."""
    tables = st.dictionaries(st.integers(1, 30), finite.map(abs), min_size=1, max_size=3).map(
        lambda table: ",".join(f"{grade}:{gain!r}" for grade, gain in table.items())
    )
    known: dict[str, st.SearchStrategy[Any]] = {
        "gain": st.sampled_from(["linear", "exponential", "binary"]) | tables,
        "gmax": st.sampled_from(["collection", "topic"]) | st.integers(1, 9),
        "adhoc": st.sampled_from(["pseudo", "max", "sum", "own"]),
        "view": st.sampled_from(["lower", "upper"]),
        "delta": st.floats(0, 1),
        "weights": st.text(
            st.characters(categories=["L", "N"], include_characters="-_./=@'#"), min_size=1
        ),
    }
    if parameter.name in known:
        return known[parameter.name]
    if isinstance(parameter.default, float):

        def fits(value: float) -> bool:
            try:
                parameter.value(value, family.name)
            except MeasureError:
                return False
            return True

        shares = st.floats(0, 1).filter(fits)
        return shares | finite.map(abs).filter(fits) if fits(1e9) else shares
    return st.sampled_from(tried(parameter))


@st.composite
def any_measures(draw: st.DrawFn) -> Measure:
    """A measure of any family, as much said of it as goes together."""
    family = draw(st.sampled_from(FAMILIES))
    said: dict[str, Any] = {}
    cutoff = {"optional": draw(st.none() | st.integers(1, 5000)), "none": None}.get(
        family.cutoff, draw(st.integers(1, 5000))
    )
    primes = draw(st.integers(0, 2))
    measure = family(cutoff, primes=primes)
    for parameter in family.all_parameters.values():
        if draw(st.integers(0, 3)) == 0:
            said[parameter.name] = draw(legal_values(family, parameter))
            try:
                measure = family(cutoff, primes=primes, **said)
            except MeasureError:  # goes with other parameters only
                del said[parameter.name]
    return measure


@given(measure=any_measures())
def test_the_name_of_a_measure_reads_back_as_an_equal_one(measure: Measure) -> None:
    name = str(measure)
    assert parse(name) == measure
    assert str(parse(name)) == name
    assert not any(letter.isspace() for letter in name)


@given(measure=any_measures())
def test_what_is_as_usual_is_left_out_of_the_name(measure: Measure) -> None:
    known = measure.family.all_parameters
    for name, value in measure.parameters:
        assert value != known[name].default


def test_saying_what_is_usual_changes_nothing() -> None:
    for family in FAMILIES:
        for parameter in family.parameters:
            if parameter.default is not None:
                cutoff = 10 if family.cutoff == "required" else None
                measure = family(cutoff, **{parameter.name: parameter.default})
                assert measure == family(cutoff)
                assert str(measure) == str(family(cutoff))


@given(measures=st.lists(any_measures(), min_size=1, max_size=4), comma=st.booleans())
def test_names_in_a_row_are_read_one_by_one(measures: list[Measure], comma: bool) -> None:
    names = [str(measure) for measure in measures]
    if comma:
        # NCUrb,P and the like have a comma of their own
        names = [name for name in names if "," not in name.split("(")[0]] or ["I-rec"]
    assert [str(m) for m in parse_all((", " if comma else "  ").join(names))] == names


@given(measure=any_measures())
def test_measures_are_keys_and_survive_copies_and_pickles(measure: Measure) -> None:
    twin = parse(str(measure))
    assert {measure: 1}[twin] == 1
    assert hash(twin) == hash(measure)
    for again in (
        pickle.loads(pickle.dumps(measure)),
        copy.copy(measure),
        copy.deepcopy(measure),
    ):
        assert again == measure
        assert again.family is measure.family
        assert again.formula == measure.formula


def test_measures_that_differ_are_not_equal() -> None:
    names = "nDCG nDCG' nDCG'' nDCG@10 nDCG@20 nDCG(form=jk) nDCG(gain=exponential) D-nDCG nDCG-IA"
    assert len({parse(name) for name in names.split()}) == 9
    assert parse("nDCG@10") != "nDCG@10"


# ---- spellings ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Dsharp-nDCG@10", "D#-nDCG@10"),
        ("alphasharp-nERR-IA@20", "alpha#-nERR-IA@20"),
        ("P+Qsharp'@5", "P+Q#'@5"),
        ("Dsharp-cascade", "D#-cascade"),
        (" ERR@10 ", "ERR@10"),
        ("RBP(p=.850)@10", "RBP(p=0.85)@10"),
        ("RBP( p = 0.85 )@10", "RBP(p=0.85)@10"),
        ("RBP(p=0.99)@10", "RBP@10"),
        ("nDCG(form=ms)", "nDCG"),
        ("nDCG()", "nDCG"),
        ("RBP-IA'(p=0.85)@10", "RBP-IA'(p=0.85)@10"),
        ("ERR''@10", "ERR''@10"),
        ("ERR''(delta=0.9)@10", "ERR''@10"),
        ("nDCG(gain=2:3,1:1)@5", "nDCG(gain=1:1,2:3)@5"),
        ("nDCG(gain=1:1.0,2:2.5,gmax=3)", "nDCG(gain=1:1,2:2.5,gmax=3)"),
        ("alpha#-nDCG-IA(average=geom,alpha=0.1)@20", "alpha#-nDCG-IA(alpha=0.1,average=geom)@20"),
        ("alpha#-nDCG-IA(weights=my/own.txt)", "alpha#-nDCG-IA(weights=my/own.txt)"),
        ("CT(documents=10)", "CT(documents=10)"),
        ("ndeval:ERR-IA@20", "ndeval:ERR-IA@20"),
        ("trec_eval:nDCG@5", "trec_eval:ndcg_cut@5"),
        ("trec_eval:AP", "trec_eval:map"),
        ("trec_eval:RR", "trec_eval:recip_rank"),
        ("RBU(form=amigo)", "RBU(form=amigo)"),
        ("Q(view=upper)@5", "Q(view=upper)@5"),
    ],
)
def test_a_name_may_be_written_in_other_ways(written: str, name: str) -> None:
    assert str(parse(written)) == name


def test_every_name_with_a_sharp_has_a_spelling_in_plain_letters() -> None:
    for family in FAMILIES:
        if "#" in family.name:
            assert CATALOGUE[family.name.replace("#", "sharp")] is family


def test_parameters_are_read_alike_from_text_and_from_values() -> None:
    family = CATALOGUE["alpha#-nDCG-IA"]
    assert family(20, alpha=0.1, average="geom") == parse(
        "alpha#-nDCG-IA(alpha=.1,average=geom)@20"
    )
    assert CATALOGUE["ERR"](gain=Gain("exponential"), gmax=Gmax("grade", 3)) == parse(
        "ERR(gain=exponential,gmax=3)"
    )
    assert CATALOGUE["CT"](documents=5) == parse("CT(documents=5)")


def test_a_measure_can_be_had_at_another_cutoff_and_with_other_parameters() -> None:
    measure = parse("RBP-IA'(p=0.85)@10")
    assert str(measure.at(20)) == "RBP-IA'(p=0.85)@20"
    assert str(measure.but(p=0.5)) == "RBP-IA'(p=0.5)@10"
    assert str(measure.but(p=0.99)) == "RBP-IA'@10"


# ---- what is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nDCGG@10", "no measure is named 'nDCGG'; did you mean nDCG"),
        ("D#-ndcg@10", "did you mean D#-nDCG"),
        ("strec@5", "did you mean ndeval:strec?"),
        ("map", "did you mean trec_eval:map?"),
        ("dsharp-nDCG@10", "did you mean Dsharp-nDCG"),
        ("sakai2091", "did you mean"),
        ("zzz", "no measure is named 'zzz'\n  polyseme measures lists all"),
        ("RBP(q=0.5)", "RBP has no parameter 'q'"),
        ("RBP(P=0.5)", "did you mean p?"),
        ("RBP(persistence=0.5)", "its parameters: p (a number from 0 and below 1)"),
        ("RBP(p=1)", "p must be a number from 0 and below 1. Got '1' instead."),
        ("RBP(p=x)", "Got 'x' instead"),
        ("RBP(p=nan)", "Got 'nan' instead"),
        ("RBP(p=-0.1)", "Got '-0.1' instead"),
        ("RBU(e=inf)", "e must be a number at least 0"),
        ("CT(height=0)", "height must be a number above 0"),
        ("CT(documents=0)", "documents must be a whole number of 1 or more"),
        ("CT(documents=2.5)", "documents must be a whole number of 1 or more"),
        ("nDCG(form=msx)", "form must be ms or jk. Got 'msx' instead."),
        ("nDCG(gain=cubic)", "gain must be linear, exponential, binary or a table"),
        ("nDCG(gain=1:-1)", "gain must give positive grades gains from 0 to 1e+100"),
        ("nDCG(gain=0:1)", "gain must give positive grades"),
        ("nDCG(gmax=0)", "gmax must be collection, topic or a grade of 1 or more"),
        ("nDCG(adhoc=min)", "adhoc must be pseudo or max or sum or own"),
        ("D-nDCG(adhoc=max)", "D-nDCG has no parameter 'adhoc'"),
        ("ndeval:NRBP(gain=linear)", "ndeval:NRBP has no parameter 'gain'"),
        ("P", "P needs a cutoff, such as P@10"),
        ("ndeval:NRBP@5", "takes no cutoff: say ndeval:NRBP"),
        ("P@0", "a cutoff must be a whole number of 1 or more. Got '0' instead."),
        ("P@-1", "a cutoff must be a whole number"),
        ("P@ten", "a cutoff must be a whole number"),
        ("P@", "a cutoff must be a whole number"),
        ("P@5@6", "is no measure's name"),
        ("", "is no measure's name"),
        ("nDCG@10 ERR", "a cutoff must be a whole number"),
        ("nDCG'''@10", "more than two primes"),
        ("nDCG(p)", "'p' is no parameter"),
        ("nDCG(form=)", "is no parameter"),
        ("nDCG(form=jk,form=jk)", "says form twice"),
        ("nDCG(form=jk", "is no measure's name"),
        ("nDCG'(delta=0.5)", "delta goes with discounted condensed lists, nDCG''(delta=...)"),
        ("nDCG(delta=0.5)", "delta goes with discounted condensed lists"),
        ("CT(documents=3)@2", "cut documents (documents=k) or iterations (@k), not both"),
        ("alpha#-nDCG-IA(floor=0.1)", "floor is for average=geom"),
        ("alpha#-nDCG-IA(average=smr,weights=f)", "give weights or average, not both"),
        ("D-cascade(beta=0.5)", "beta is for discount=RBP"),
        ("RBU(form=amigo)@10", "takes no cutoff"),
        ("RBU(form=amigo,gain=linear)", "takes no gain"),
        ("RBU(effort=cutoff)", "needs a cutoff, such as RBU(effort=cutoff)@10"),
    ],
)
def test_a_name_that_is_not_legal_is_refused_with_what_is(name: str, said: str) -> None:
    with pytest.raises(MeasureError) as caught:
        parse(name)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("name", "offered"),
    [
        ("ERR_IA@20", "say ndeval:ERR-IA@20 (what ir_measures computes) or ERR-IA@20 (graded)"),
        ("ERR_IA", "say ndeval:ERR-IA@20 (what ir_measures computes) or ERR-IA (graded)"),
        ("nERR_IA@20", "say ndeval:nERR-IA@20 (what ir_measures computes)"),
        ("alpha_nDCG(alpha=0.3)@5", "say ndeval:alpha-nDCG(alpha=0.3)@5 (what ir_measures"),
        ("alpha_nDCG(alpha=0.3)@5", " or alpha-nDCG(alpha=0.3)@5 (graded)"),
        ("ERR_IA(judged_only=True)@20", "or ERR-IA@20 (graded)"),
        ("StRecall@10", "say ndeval:strec@10 (what ir_measures computes) or I-rec@10 (graded)"),
        ("AP_IA", "say ndeval:MAP-IA (what ir_measures computes) or AP-IA (graded)"),
    ],
)
def test_ir_measures_spellings_are_refused_and_both_meanings_offered(
    name: str, offered: str
) -> None:
    with pytest.raises(MeasureError) as caught:
        parse(name)
    assert offered in str(caught.value)


# ---- sets ---------------------------------------------------------------------------------------

SIX = ["nDCG", "Q", "ERR", "EBR", "RBP", "RBP(p=0.85)"]
ADHOC = [*SIX, "iRBU", "iRBU(p=0.85)"]
DIVERSITY = [f"D-{name}" for name in SIX] + [f"D#-{name}" for name in SIX]
DIVERSITY += ["nDCG-IA", "Q-IA", "ERR-IA", "EBR-IA", "RBP-IA", "RBP-IA(p=0.85)"]
DIVERSITY += ["RBU", "RBU(p=0.85)"]


def graded(names: list[str]) -> list[str]:
    """The names at 10, with the exponential gain."""
    said = [name.removesuffix(")") + ("," if "(" in name else "(") for name in names]
    return [f"{name}gain=exponential)@10" for name in said]


THIRTY = ["P@10", *graded(ADHOC), "I-rec@10", *graded(DIVERSITY)]


def test_the_thirty_measures_of_sakai_and_zeng_2019_are_a_set() -> None:
    assert len(THIRTY) == 30
    assert [str(measure) for measure in parse_all("sakai2019")] == THIRTY
    assert [str(m) for m in parse_all("sakai2019-adhoc sakai2019-diversity")] == THIRTY


@pytest.mark.parametrize("name", [name for name, each in WITH_SETS.items() if each.cutoff])
def test_a_set_takes_another_cutoff(name: str) -> None:
    usual, other = parse_all(name), parse_all(f"{name}@7")
    assert {measure.cutoff for measure in usual} == {WITH_SETS[name].cutoff}
    assert other == [measure.at(7) for measure in usual]


@pytest.mark.parametrize("name", [name for name, each in WITH_SETS.items() if not each.cutoff])
def test_a_set_with_cutoffs_of_its_own_takes_none(name: str) -> None:
    assert parse_all(name)
    with pytest.raises(MeasureError, match="has cutoffs of its own"):
        parse_all(f"{name}@7")


def test_the_sets_of_programs_and_of_golbus_hold_what_they_report() -> None:
    assert len(parse_all("trec")) == 21
    assert all(measure.name.startswith("ndeval:") for measure in parse_all("trec"))
    golbus = parse_all("golbus2013")
    assert len(golbus) == 3 * 4 + 3
    assert "alpha#-nERR-IA(average=geom)@20" in map(str, golbus)
    assert "D#-cascade(discount=RBP)@20" in map(str, golbus)
    assert [str(m) for m in parse_all("ntcir")] == ["I-rec@10", "D-nDCG@10", "D#-nDCG@10"]


def test_sets_and_names_may_stand_together() -> None:
    names = [str(m) for m in parse_all("ntcir@5,RBP(p=0.5,gain=1:1,2:3)@10  ERR'")]
    assert names == [
        "I-rec@5",
        "D-nDCG@5",
        "D#-nDCG@5",
        "RBP(p=0.5,gain=1:1,2:3)@10",
        "ERR'",
    ]


def test_a_set_is_no_measure() -> None:
    with pytest.raises(MeasureError, match="sakai2019 is a set of measures"):
        parse("sakai2019")


# ---- from process to process --------------------------------------------------------------------

mine = polyseme.define("mine", Sum(Cascade(), Log2()))


def test_a_definition_at_the_top_of_a_module_survives_pickling() -> None:
    for family in mine.families:
        measure = family(10, primes=1)
        assert pickle.loads(pickle.dumps(measure)) == measure


def test_a_definition_that_no_module_holds_is_refused_by_pickle_and_may_be_copied() -> None:
    lost = polyseme.define("lost", Sum(Cascade(), Log2()))
    with pytest.raises(MeasureError, match="'lost' cannot be sent to another process"):
        pickle.dumps(lost(10))
    assert copy.deepcopy(lost(10)) == lost(10)


def test_a_definition_in_a_file_that_was_only_executed_is_refused_by_pickle() -> None:
    source = "import polyseme\nfrom polyseme.measures import *\n"
    names: dict[str, Any] = {"__name__": "polyseme_definitions"}
    exec(source + "filed = polyseme.define('filed', Sum(Cascade(), Log2()))", names)
    with pytest.raises(MeasureError, match=r"not found in the module\s+polyseme_definitions"):
        pickle.dumps(names["filed"](10))


def test_two_measures_of_one_name_are_not_mixed_up_by_pickle() -> None:
    with pytest.raises(MeasureError, match="another measure named 'mine'"):
        pickle.dumps(polyseme.define("mine", Sum(Cascade(), Log2()))(10))
