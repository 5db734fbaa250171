from __future__ import annotations

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.collection.formats import scanning, topic_lines
from polyseme.collection.formats.topic_lines import (
    PlainTopicScan,
    PlainTopicSplit,
    bucket_of,
    first_line_of,
    key_of,
    topic_of,
    topic_scan,
    topic_split,
)

needs_compiled = pytest.mark.skipif(not scanning.COMPILED, reason="nothing is compiled here")
texts = st.lists(
    st.sampled_from(
        [b"1", b"2", b"10", b"a", b"ab", b" 3\tx", b"# no", b"", b"\t", b"12 Q0 d", b"9\r"]
    ),
    max_size=30,
).map(b"\n".join)
cuts = st.lists(st.integers(0, 80), max_size=4).map(sorted)


def fed(scan: Any, text: bytes, at: list[int]) -> Any:
    for low, high in zip([0, *at], [*at, len(text)], strict=True):
        scan.feed(text[low:high])
    scan.finish()
    return scan


@needs_compiled
@given(texts, cuts, st.integers(1, 40))
def test_the_compiled_scan_finds_what_the_plain_one_finds(
    text: bytes, at: list[int], every: int
) -> None:
    assert (
        fed(topic_scan(5, every), text, at).found()
        == fed(PlainTopicScan(5, every), text, at).found()
    )


@needs_compiled
@given(texts, cuts, st.integers(1, 7))
def test_the_compiled_split_fills_the_same_buckets(text: bytes, at: list[int], count: int) -> None:
    compiled, plain = fed(topic_split(count), text, at), fed(PlainTopicSplit(count), text, at)
    assert compiled.held == plain.held
    assert compiled.taken() == plain.taken()
    assert compiled.held == 0


@given(texts)
def test_no_line_of_a_topic_is_lost_and_each_is_in_its_bucket(text: bytes) -> None:
    found = fed(PlainTopicSplit(5), text, []).taken()
    lines = [line + b"\n" for line in text.split(b"\n") if topic_of(line)]
    assert sorted(line for each in found for line in each.splitlines(True)) == sorted(
        each for line in lines for each in line.splitlines(True)
    )
    for bucket, content in enumerate(found):
        for line in content.split(b"\n"):
            assert not topic_of(line) or bucket_of(topic_of(line), 5) == bucket


@given(
    st.lists(st.integers(0, 3000), min_size=1, max_size=60),
    st.integers(0, 3100),
    st.sampled_from(["ascending", "numbered"]),
    st.integers(1, 9),
)
def test_the_first_line_of_a_topic_is_found(
    numbers: list[int], wanted: int, order: Any, width: int
) -> None:
    topics = sorted((str(number).encode() for number in numbers), key=lambda t: key_of(t, order))
    lines = [topic + b" " + b"x" * (50 * width) + b"\n" for topic in topics]
    text = b"".join(lines)
    place = first_line_of(io.BytesIO(text), str(wanted).encode(), order, 0, len(text))
    key = key_of(str(wanted).encode(), order)
    before = [line for topic, line in zip(topics, lines, strict=True) if key_of(topic, order) < key]
    assert place == sum(map(len, before))


def test_the_hash_is_that_of_fowler_noll_and_vo() -> None:
    # FNV-1a, 64 bits, of "a" and "foobar", from the authors' page
    assert topic_lines._mixed(b"a") == 0xAF63DC4C8601EC8C
    assert topic_lines._mixed(b"foobar") == 0x85944171F73967E8
