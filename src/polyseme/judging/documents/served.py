"""What a browser is given of a document, so that reading it is all that it can lead to.

Three things together: the page shows documents in `<iframe sandbox>`; the reply carries a policy
without scripts, forms, frames and anything remote, which also holds where the document is opened
alone; and elements that browsers connect to other hosts for before they ask the policy
(`<link rel=preconnect>`, `<iframe>`), or that lead away (`<meta http-equiv=refresh>`), are renamed.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from polyseme.judging.documents.stored import Stored

_POLICY = (
    "sandbox",
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    "img-src data:",
    "font-src data:",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
)
#: what goes with every document
HEADERS = {
    "Content-Security-Policy": "; ".join(_POLICY),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-DNS-Prefetch-Control": "off",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "private, no-store",
    "Content-Disposition": "inline",
}

HTML = "text/html"
TEXT = "text/plain"
IMAGES = {"image/png", "image/jpeg", "image/gif", "image/webp"}

#: labels of the Web's encodings that Python knows by another name, or reads more narrowly
_WEB = {
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "latin-1": "cp1252",
    "us-ascii": "cp1252",
    "ascii": "cp1252",
    "iso-8859-9": "cp1254",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "sjis": "cp932",
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
    "utf8": "utf-8",
    "x-euc-jp": "euc_jp",
}
#: all others are read; Python knows some by which a short text takes for ever, or is no text
_READ = re.compile(
    r"utf-8|utf-16(le|be)?|iso-8859-\d{1,2}|windows-125\d|cp\d{3,4}|euc[-_](jp|kr)|iso-2022-(jp|kr)"
    r"|gb18030|big5(-hkscs)?|koi8-[ru]|tis-620|macintosh|mac_?roman"
)
_META = re.compile(rb"<meta[^>]{0,500}?charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.IGNORECASE)
_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}

#: every beginning of a tag whose element connects or leads away before any policy is asked
_RENAMED = re.compile(
    r"<(?=(?:link|meta|base|i?frame|frameset|object|embed|applet|portal|fencedframe)\b)",
    re.IGNORECASE | re.ASCII,
)
_BLANK = re.compile(r"[\s\ufeff]*")
_DOCTYPE = re.compile(r"<!doctype[^>]{0,500}>", re.IGNORECASE)
#: a link that is clicked opens nothing, for a sandbox has no new windows; the document stays
_LINKS = '<base target="_blank">'

_LOOKS_LIKE_HTML = re.compile(
    r"<(?:!doctype\s+html|html|head|body|title|meta|div|p|h[1-6]|table)\b", re.IGNORECASE | re.ASCII
)


@dataclass(frozen=True)
class Served:
    """What is sent."""

    content: bytes
    #: with its charset, as the header has it
    media: str


def served(document: Stored) -> Served | None:
    """What is sent of a document; None of what cannot be shown, such as a PDF file."""
    media = _kind(document)
    if media in IMAGES:
        return Served(document.content, media)
    if media == HTML:
        text = _RENAMED.sub("<x-", _decoded(document))
        start = _past_comments(text)
        if doctype := _DOCTYPE.match(text, start):
            start = doctype.end()
        content = text[:start] + _LINKS + text[start:]
        return Served(content.encode("utf-8", "replace"), f"{HTML}; charset=utf-8")
    if media == TEXT:
        content = _decoded(document)
        return Served(content.encode("utf-8", "replace"), f"{TEXT}; charset=utf-8")
    return None


def _kind(document: Stored) -> str:
    """One of the few kinds that are shown, or empty. Kinds of text that scripts know are text."""
    media = document.media
    if media in (HTML, "application/xhtml+xml"):
        return HTML
    if media in IMAGES:
        return media
    if media.startswith("text/") or media in ("application/json", "application/xml"):
        return TEXT
    if media not in ("", "application/octet-stream", "unk", "unknown"):
        return ""
    start = document.content[:4096].decode("latin-1")
    if _LOOKS_LIKE_HTML.match(start, _past_comments(start)):
        return HTML
    binary = b"\0" in document.content[:4096]
    utf16 = document.content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return TEXT if utf16 or not binary else ""


def _past_comments(text: str) -> int:
    """Where a text's first tag may begin."""
    at = _BLANK.match(text).end()  # type: ignore[union-attr]
    while text.startswith("<!--", at) and (end := text.find("-->", at)) >= 0:
        at = _BLANK.match(text, end + 3).end()  # type: ignore[union-attr]
    return at


def _decoded(document: Stored) -> str:
    """The text. What cannot be read stands as a replacement character; nothing is an error."""
    content = document.content
    for mark, codec in _MARKS.items():
        if content.startswith(mark):
            return content.decode(codec, "replace")
    found = _META.search(content[:4096])
    labels = [document.charset, found[1].decode("ascii", "replace") if found else ""]
    for label in labels:
        codec = _codec(label)
        if codec:
            return content.decode(codec, "replace")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def _codec(label: str) -> str:
    label = label.strip().lower()
    if label in _WEB:
        return _WEB[label]
    if not _READ.fullmatch(label):
        return ""
    try:
        return codecs.lookup(label).name
    except LookupError:
        return ""
