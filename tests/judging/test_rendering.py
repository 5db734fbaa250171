"""Guidelines in Markdown, and the files that pages load."""

from __future__ import annotations

import hashlib

import pytest

from polyseme.judging.rendering import (
    STATIC,
    document_address,
    environment,
    markdown,
    static_address,
    static_file,
)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("# How\n\nto *judge*", "<h1>How</h1>\n<p>to <em>judge</em></p>\n"),
        ("1. a\n2. b", "<ol>\n<li>a</li>\n<li>b</li>\n</ol>\n"),
        ("<b onclick=x>a</b>", "<p>&lt;b onclick=x&gt;a&lt;/b&gt;</p>\n"),
        ("<script>x</script>", "<p>&lt;script&gt;x&lt;/script&gt;</p>\n"),
        (
            "[a](https://example.org/?b=c&d)",
            '<p><a rel="noopener noreferrer" target="_blank" '
            'href="https://example.org/?b=c&amp;d">a</a></p>\n',
        ),
    ],
)
def test_guidelines_are_markdown_without_html(text: str, html: str) -> None:
    assert markdown(text) == html


@pytest.mark.parametrize(
    "text",
    [
        "[a](javascript:alert(1))",
        "[a](JaVaScRiPt:alert(1))",
        "[a](data:text/html,x)",
        "[a](/leave)",
        "[a](//example.org)",
        "<javascript:alert(1)>",
        "[a][b]\n\n[b]: vbscript:x",
    ],
)
def test_guidelines_lead_to_the_web_only(text: str) -> None:
    assert "href" not in markdown(text)


def test_guidelines_fetch_no_pictures_and_have_no_styles() -> None:
    assert "<img" not in markdown("![a](https://example.org/a.gif)")
    table = markdown("| a | b |\n| --- | ---: |\n| 1 | 2 |\n")
    assert "<td>2</td>" in table
    assert "style" not in table


@pytest.mark.parametrize("name", STATIC)
def test_files_have_an_address_that_changes_with_them(name: str) -> None:
    content, version = static_file(name)
    assert hashlib.sha256(content).hexdigest().startswith(version)
    assert static_address(name) == f"/static/{name}?v={version}"


def test_pages_load_nothing_but_what_is_served() -> None:
    sheet, script = (static_file(name)[0].decode() for name in ("judging.css", "judging.js"))
    for text in (sheet, script):
        assert "http:" not in text
        assert "https:" not in text
        assert "//" not in text.replace("// ", "").replace("\n//\n", "")
    assert "url(" not in sheet
    assert "innerHTML" not in script
    assert "eval" not in script


@pytest.mark.parametrize(
    ("doc", "address"),
    [
        ("clueweb12-0000", "/document?doc=clueweb12-0000"),
        ("http://a/b?c=d&e#f", "/document?doc=http%3A%2F%2Fa%2Fb%3Fc%3Dd%26e%23f"),
        ('"><script>', "/document?doc=%22%3E%3Cscript%3E"),
        ("\u732b", "/document?doc=%E7%8C%AB"),
    ],
)
def test_any_name_of_a_document_makes_an_address(doc: str, address: str) -> None:
    assert document_address(doc) == address


def test_a_value_that_is_missing_is_an_error_and_not_nothing() -> None:
    with pytest.raises(Exception, match="'missing' is undefined"):
        environment().from_string("{{ missing }}").render()
