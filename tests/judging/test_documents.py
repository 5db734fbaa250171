"""Documents come from inside their folder or file only, whole, and harmless."""

from __future__ import annotations

import gzip
import json
import os
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from polyseme.errors import InputError
from polyseme.judging.documents import (
    HEADERS,
    Documents,
    Stored,
    TooLarge,
    json_lines,
    open_documents,
    served,
    stored,
    warc,
)
from polyseme.judging.documents import folder as folder_module

Opened = Callable[[Path], Documents]


@pytest.fixture
def opened() -> Iterator[Opened]:
    """Opens documents, and closes them at the end of the test."""
    with ExitStack() as stack:

        def open_them(path: Path) -> Documents:
            found = open_documents(path)
            stack.callback(found.close)
            return found

        yield open_them


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Documents, and a secret beside their folder."""
    made = tmp_path / "documents"
    (made / "deeper").mkdir(parents=True)
    (tmp_path / "secret.txt").write_text("secret")
    (made / "plain").write_text("plain")
    (made / "d1.html").write_text("<p>one</p>")
    (made / "deeper" / "d2.txt").write_text("two")
    (made / "http%3A%2F%2Fexample.org%2Fa.html").write_text("<p>by address</p>")
    return made


# ---- a folder -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "media"),
    [
        ("plain", b"plain", ""),
        ("d1", b"<p>one</p>", "text/html"),
        ("d1.html", b"<p>one</p>", "text/html"),
        ("deeper/d2", b"two", "text/plain"),
        ("http://example.org/a", b"<p>by address</p>", "text/html"),
    ],
)
def test_a_document_is_a_file_by_its_name_with_or_without_suffix(
    folder: Path, name: str, content: bytes, media: str
) -> None:
    assert open_documents(folder).find(name) == Stored(content, media)


OUTSIDE = [
    "../secret",
    "../secret.txt",
    "..\\secret.txt",
    "deeper/../../secret.txt",
    "deeper/..\\..\\secret.txt",
    "./../secret.txt",
    "....//secret.txt",
    "%2e%2e/secret.txt",
    "%2e%2e%2fsecret.txt",
    "..%2fsecret.txt",
    "..%c0%afsecret.txt",
    "..%252fsecret.txt",
    "\u2025/secret.txt",
    "\uff0e\uff0e/secret.txt",
    "/etc/passwd",
    "//etc/passwd",
    "file:///etc/passwd",
    "C:\\secret.txt",
    "",
    ".",
    "..",
    "/",
    "deeper",
    "deeper/",
    "d1.html/",
    "d1.html\0.txt",
    "\0",
    "a" * 5000,
    "\ud800",
    "d1.html/../../secret.txt",
    "d1.html:stream",
]


@pytest.mark.parametrize("name", OUTSIDE, ids=ascii)
def test_no_name_leads_out_of_the_folder(folder: Path, name: str) -> None:
    assert open_documents(folder).find(name) is None


def test_names_that_lead_out_do_so_where_nothing_stops_them(folder: Path) -> None:
    read = 0
    for name in OUTSIDE:
        try:
            read += bool(Path(folder, name).read_bytes())
        except (OSError, ValueError):
            continue
    assert read >= 4


def test_links_lead_only_to_what_is_inside(folder: Path) -> None:
    (folder / "near").symlink_to(folder / "d1.html")
    (folder / "far").symlink_to(folder.parent / "secret.txt")
    (folder / "up").symlink_to(folder.parent)
    (folder / "round").symlink_to(folder / "round")
    (folder / "gone").symlink_to(folder / "nothing")
    (folder / "chain").symlink_to(folder / "far")
    found = open_documents(folder)
    assert found.find("near") == Stored(b"<p>one</p>", "text/html")
    for name in ("far", "up", "up/secret.txt", "round", "gone", "chain"):
        assert found.find(name) is None


def test_the_folder_itself_may_be_a_link(folder: Path) -> None:
    link = folder.parent / "link"
    link.symlink_to(folder)
    assert open_documents(link).find("d1") is not None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in folders here")
def test_what_is_no_file_is_no_document_and_nobody_waits_for_it(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    assert open_documents(folder).find("pipe") is None


def test_a_document_that_is_too_large_says_so(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_module, "LARGEST", 9)
    with pytest.raises(TooLarge):
        open_documents(folder).find("d1")
    assert open_documents(folder).find("plain") is not None


def test_a_study_may_have_no_documents() -> None:
    nothing = open_documents(None)
    assert nothing.find("d1") is None
    nothing.close()


# ---- JSON lines ---------------------------------------------------------------------------------


def lines(*records: object) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


@pytest.mark.parametrize("packed", [False, True])
def test_json_lines_hold_text_or_html(tmp_path: Path, opened: Opened, packed: bool) -> None:
    content = b"\xef\xbb\xbf" + lines(
        {"doc": "d1", "text": "one <b>"},
        {"docno": "d2", "html": "<p>\u732b"},
        {"id": 3, "body": ""},
    )
    path = tmp_path / "documents.jsonl"
    path.write_bytes(gzip.compress(content) if packed else content)
    found = opened(path)
    assert found.find("d1") == Stored(b"one <b>", "text/plain", "utf-8")
    assert found.find("d2") == Stored("<p>\u732b".encode(), "text/html", "utf-8")
    assert found.find("3") == Stored(b"", "text/plain", "utf-8")
    assert found.find("d4") is None
    found.close()


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"{", "this is no JSON"),
        (b'{"doc": "d"}\xff', "this is no JSON"),
        (b"[1]", "this is no object"),
        (b'{"text": "x"}', "a document has no name"),
        (b'{"doc": "", "text": "x"}', "a document has no name"),
        (b'{"doc": "d", "text": 5}', "neither text nor html"),
        (b'{"doc": "d0", "text": "x"}', "'d0' is there twice"),
        (b'{"doc":' + b"[" * 100_000, "this is no JSON"),
    ],
    ids=range(8),
)
def test_a_line_that_is_no_document_is_an_error_with_its_place(
    tmp_path: Path, opened: Opened, line: bytes, problem: str
) -> None:
    path = tmp_path / "documents.jsonl"
    path.write_bytes(lines({"doc": "d0", "text": ""}) + line + b"\n")
    with pytest.raises(InputError, match=f"documents.jsonl:2: {problem}|{problem}") as caught:
        opened(path)
    assert caught.value.line == 2


def test_half_of_a_pair_of_characters_is_no_error(tmp_path: Path, opened: Opened) -> None:
    path = tmp_path / "documents.jsonl"
    path.write_bytes(b'{"doc": "d", "text": "a\\ud800b"}\n')
    found = opened(path).find("d")
    assert found is not None
    assert found.content == b"a?b"


def test_a_long_line_is_too_large(
    tmp_path: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "documents.jsonl"
    path.write_bytes(lines({"doc": "d", "text": "x" * 100}))
    monkeypatch.setattr(stored, "LARGEST", 50)
    with pytest.raises(TooLarge):
        opened(path).find("d")
    monkeypatch.setattr(stored, "LARGEST", 500)
    monkeypatch.setattr(json_lines, "LARGEST", 50)
    with pytest.raises(TooLarge):
        opened(path).find("d")


# ---- WARC ---------------------------------------------------------------------------------------


def record(kind: str, block: bytes, **fields: str) -> bytes:
    head = {"WARC-Type": kind, "Content-Length": str(len(block))}
    head |= {name.replace("_", "-"): value for name, value in fields.items()}
    text = "".join(f"{name}: {value}\r\n" for name, value in head.items())
    return b"WARC/1.0\r\n" + text.encode() + b"\r\n" + block + b"\r\n\r\n"


def response(body: bytes, **fields: str) -> bytes:
    head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in fields.items())
    return record(
        "response",
        b"HTTP/1.1 200 OK\r\n" + head.encode() + b"\r\n" + body,
        Content_Type="application/http; msgtype=response",
        WARC_TREC_ID="clueweb12-0000",
        WARC_Target_URI="<http://example.org/a>",
    )


@pytest.mark.parametrize("packed", [False, True])
def test_warc_records_are_found_by_trec_identifier_and_by_address(
    tmp_path: Path, opened: Opened, packed: bool
) -> None:
    info = record("warcinfo", b"software: x", Content_Type="application/warc-fields")
    parts = [info, response(b"<p>hello", Content_Type="text/html; charset=Shift_JIS")]
    path = tmp_path / "00.warc.gz"
    path.write_bytes(b"".join(gzip.compress(part) if packed else part for part in parts))
    found = opened(path)
    for name in ("clueweb12-0000", "http://example.org/a"):
        assert found.find(name) == Stored(b"<p>hello", "text/html", "shift_jis")
    assert found.find("http://example.org/b") is None
    found.close()


def test_a_resource_is_a_document_by_itself(tmp_path: Path, opened: Opened) -> None:
    path = tmp_path / "00.warc"
    path.write_bytes(record("resource", b"words", Content_Type="text/plain", WARC_Target_URI="u"))
    assert opened(path).find("u") == Stored(b"words", "text/plain")


def test_bodies_are_joined_and_unpacked(tmp_path: Path, opened: Opened) -> None:
    packed = gzip.compress(b"words of the document")
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (packed[:9], packed[9:]))
    bodies = {
        "both": response(
            chunks + b"0\r\n\r\n", Transfer_Encoding="chunked", Content_Encoding="gzip"
        ),
        "deflate": response(zlib.compress(b"words of the document"), Content_Encoding="deflate"),
        "said, not done": response(
            b"words of the document", Transfer_Encoding="chunked", Content_Encoding="gzip"
        ),
    }
    for name, content in bodies.items():
        path = tmp_path / f"{name}.warc"
        path.write_bytes(content)
        found = opened(path).find("clueweb12-0000")
        assert found is not None, name
        assert found.content == b"words of the document", name


def test_what_a_few_bytes_stand_for_is_not_made(
    tmp_path: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warc, "LARGEST", 1 << 16)
    path = tmp_path / "bomb.warc"
    path.write_bytes(response(gzip.compress(bytes(1 << 20)), Content_Encoding="gzip"))
    with pytest.raises(TooLarge):
        opened(path).find("clueweb12-0000")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (response(b"x") + b"nonsense\r\n", "does not begin with its version"),
        (b"WARC/1.0\r\nWARC-Type: response\r\n\r\n", "does not say its length"),
        (b"WARC/1.0\r\nContent-Length: -5\r\n\r\n", "does not say its length"),
        (b"WARC/1.0\r\n" + b"a: b\r\n" * 2000, "more than 1,000 fields"),
        (response(b"x" * 99)[:-20], "ends inside of a record"),
        (b"WARC/1.0\r\nContent-Length: 99999999999999999999\r\n\r\nx", "ends inside"),
    ],
    ids=range(6),
)
def test_a_broken_warc_file_is_an_error(
    tmp_path: Path, opened: Opened, content: bytes, problem: str
) -> None:
    path = tmp_path / "00.warc"
    path.write_bytes(content)
    with pytest.raises(InputError, match=problem):
        opened(path)


def test_what_is_neither_is_said_to_be_neither(tmp_path: Path, opened: Opened) -> None:
    path = tmp_path / "documents.txt"
    path.write_text("words")
    with pytest.raises(InputError, match="these are no documents") as caught:
        opened(path)
    assert "a folder, a WARC file, or JSON lines" in str(caught.value)
    with pytest.raises(InputError, match="there is no such folder or file"):
        open_documents(tmp_path / "none")


# ---- what is sent -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("document", "text"),
    [
        (Stored("caf\u00e9".encode(), "text/plain"), "caf\u00e9"),
        (Stored(b"caf\xe9", "text/plain"), "caf\u00e9"),
        (Stored("\u732b".encode("shift_jis"), "text/plain", "Shift_JIS"), "\u732b"),
        (Stored("\u732b".encode("euc_jp"), "text/plain", "EUC-JP"), "\u732b"),
        (Stored("\u732b".encode("iso2022_jp"), "text/plain", "iso-2022-jp"), "\u732b"),
        (Stored("\u732b".encode("utf-16"), ""), "\u732b"),
        (Stored(b"\xef\xbb\xbfx", "text/plain", "shift_jis"), "x"),
        (Stored(b"\x93x\x94", "text/plain", "iso-8859-1"), "\u201cx\u201d"),
        (Stored(b"+ADw-script+AD4-", "text/plain", "utf-7"), "+ADw-script+AD4-"),
        (Stored(b"x", "text/plain", "punycode"), "x"),
        (Stored(b"x", "text/plain", "zlib"), "x"),
        (Stored(b"x", "text/plain", "no such"), "x"),
        (Stored(b"\xff\xfe\xfd", "text/plain", "utf-8"), "\ufffd\ufffd\ufffd"),
    ],
    ids=range(13),
)
def test_text_is_read_in_its_encoding_and_sent_in_utf_8(document: Stored, text: str) -> None:
    if document.content.startswith(b"\xff\xfe\xfd"):
        text = document.content.decode("utf-16", "replace")
    sent = served(document)
    assert sent is not None
    assert sent.media == "text/plain; charset=utf-8"
    assert sent.content.decode() == text


def test_a_page_tells_its_own_encoding() -> None:
    content = '<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">\u732b'
    sent = served(Stored(content.encode("shift_jis"), "text/html"))
    assert sent is not None
    assert "\u732b" in sent.content.decode()


@pytest.mark.parametrize(
    ("document", "media"),
    [
        (Stored(b"<!-- c --> <!DOCTYPE html><p>x"), "text/html"),
        (Stored(b"<p>x"), "text/html"),
        (Stored(b"words <p>"), "text/plain"),
        (Stored(b"<svg onload=x>", "image/svg+xml"), None),
        (Stored(b"<x/>", "application/xml"), "text/plain"),
        (Stored(b"x", "text/javascript"), "text/plain"),
        (Stored(b"x", "application/xhtml+xml"), "text/html"),
        (Stored(b"%PDF-1.4", "application/pdf"), None),
        (Stored(b"\x89PNG", "image/png"), "image/png"),
        (Stored(b"\0\1\2"), None),
        (Stored(b"x", "multipart/x-mixed-replace"), None),
    ],
    ids=range(11),
)
def test_a_few_kinds_are_shown_and_no_others(document: Stored, media: str | None) -> None:
    sent = served(document)
    assert (sent and sent.media.partition(";")[0]) == media


@pytest.mark.parametrize(
    "tag", ["<link rel=preconnect href=//x>", "<LINK/rel=a>", "<meta\nx>", "<bAsE href=//x>"]
)
def test_elements_that_no_policy_holds_back_are_renamed(tag: str) -> None:
    sent = served(Stored(f"<!doctype html><p>{tag}<title>links, metal</title>".encode()))
    assert sent is not None
    assert sent.content.decode() == (
        '<!doctype html><base target="_blank"><p>'
        f"<x-{tag.removeprefix('<')}<title>links, metal</title>"
    )


def test_a_document_is_sent_as_it_is_but_for_that() -> None:
    text = "<html><head><title>x &amp; y</title></head><body onload=a><a href='#b'>b</a>"
    sent = served(Stored(text.encode(), "text/html"))
    assert sent is not None
    assert sent.content.decode() == '<base target="_blank">' + text


@pytest.mark.parametrize(
    "piece", ["<!---->", "<!--", "<meta ", "<!doctype ", "<link", " ", "charset=", "<meta charset="]
)
def test_no_document_takes_long(piece: str) -> None:
    content = (piece * 2_000_000)[:4_000_000].encode()
    begin = time.perf_counter()
    served(Stored(content, "text/html"))
    served(Stored(content))
    assert time.perf_counter() - begin < 4


def test_a_document_may_do_nothing_but_be_read() -> None:
    policy = dict(
        part.strip().partition(" ")[::2] for part in HEADERS["Content-Security-Policy"].split(";")
    )
    assert policy["sandbox"] == ""
    assert policy["default-src"] == "'none'"
    assert policy["form-action"] == policy["base-uri"] == "'none'"
    assert not any("http" in value or "*" in value for value in policy.values())
    assert "script-src" not in policy
    assert HEADERS["X-Content-Type-Options"] == "nosniff"
    assert HEADERS["Referrer-Policy"] == "no-referrer"
