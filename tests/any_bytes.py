"""Bytes of every kind: random ones, nearly good lines, tables, JSON and XML, packed and broken."""

from __future__ import annotations

import gzip

import zstandard
from hypothesis import strategies as st

WORDS = "1|0|01|Q0|doc|a,b|L1|L10|-2|.5|1e9|nan|inf|nav|#|topic|intent|grade|prob|score|rank|run"
word = st.sampled_from([*WORDS.split("|"), '"', "é", "\x85", "９", "1_0"])
gap = st.sampled_from([" ", "\t", "  ", ",", ";", "\r", "\x0b", "\0", ": "])
line = st.lists(st.one_of(word, gap), max_size=14).map("".join)
lines = st.lists(line, max_size=8).map(lambda found: "\n".join(found).encode())
headers = st.sampled_from([b"topic,intent,doc,grade,prob\n", b"run,topic,doc,score,rank\n"])
table = st.tuples(headers, lines)
scalar = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5))
json_like = st.lists(
    st.dictionaries(
        st.sampled_from(["topic", "intent", "doc", "grade", "prob", "score", "run", "other"]),
        st.one_of(scalar, st.lists(st.none())),
        max_size=6,
    ),
    max_size=4,
).map(lambda records: "\n".join(map(repr, records)).replace("'", '"').encode())
xml_parts = """<t> </t> <topic_number='1'> </topic> <subtopic_number='1'_type='nav'> </subtopic>
    <query> </query> &amp; &x; é <!DOCTYPE_t_[ ]> text <!ENTITY_x_'y'> <!-- --> <![CDATA[
    <?xml_version='1.0'_encoding='utf-16'?>"""
xml_like = st.lists(
    st.sampled_from([part.replace("_", " ") for part in xml_parts.split()]),
    max_size=10,
).map(lambda parts: "".join(parts).encode())
content = st.one_of(
    st.binary(max_size=200),
    lines,
    table.map(b"".join),
    json_like,
    xml_like,
    st.binary(max_size=60).map(lambda tail: b"PAR1" + tail + b"PAR1"),
    st.binary(max_size=60).map(lambda tail: b"\x1f\x8b\x08" + tail),
    st.binary(max_size=60).map(lambda tail: b"\x28\xb5\x2f\xfd" + tail),
)
packed = st.one_of(
    content,
    content.map(gzip.compress),
    content.map(zstandard.ZstdCompressor().compress),
    content.map(lambda plain: gzip.compress(plain)[:-3]),
)


@st.composite
def mutilated(draw: st.DrawFn, good: bytes) -> bytes:
    """A good file with some bytes replaced, taken out or put in."""
    held = bytearray(good)
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(held)))
        more = draw(st.one_of(st.binary(max_size=3), word.map(str.encode), gap.map(str.encode)))
        held[place : place + draw(st.integers(0, 4))] = more
    return bytes(held)
