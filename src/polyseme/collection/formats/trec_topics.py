"""TREC Web Track topics in XML: queries, descriptions, subtopics and their types.

Entities are refused, so that a small file cannot unfold into a huge one, and nothing that the file
refers to is ever opened.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import NoReturn, TextIO
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from polyseme.collection.formats.fields import name_of
from polyseme.collection.formats.opening import Source
from polyseme.collection.formats.report import MalformedError, Report
from polyseme.collection.topics import Subtopic, Topic
from polyseme.errors import InputError, PolysemeWarning

LARGEST = 64 << 20
_BITE = 1 << 16


def read(source: Source, report: Report) -> dict[str, Topic]:
    """Topics by their numbers, in the order of the file."""
    reader = _TopicsReader(report)
    size = 0
    with source.open() as stream:
        while piece := stream.read(_BITE):
            size += len(piece)
            if size > LARGEST:
                report.fatal(
                    f"the topics are larger than {LARGEST:,} bytes",
                    expected="a file of topics",
                    remedy="check that the file is what you think it is",
                )
            reader.feed(piece)
    reader.feed(b"", last=True)
    if not reader.topics:
        report.fatal(
            "the file holds no topic",
            expected='<topic number="1"> with <query>, <description> and <subtopic number="1">',
            remedy="give the topics as the TREC Web Track publishes them",
        )
    if reader.odd_types:
        # The track's own file of 2011 has two misspelled ones, so this cannot be an error.
        warnings.warn(
            f"{report.path}: subtopic types other than inf and nav are taken as none: "
            + ", ".join(reader.odd_types[:5]),
            PolysemeWarning,
            stacklevel=2,
        )
    return reader.topics


def write(topics: Iterable[Topic], stream: TextIO) -> None:
    """The XML that :func:`read` reads; what is empty is left out."""
    stream.write('<?xml version="1.0" encoding="UTF-8"?>\n<topics>\n')
    for topic in topics:
        stream.write(f"<topic number={quoteattr(topic.name)}{_type(topic.type)}>\n")
        stream.write(f"  <query>{escape(topic.query)}</query>\n")
        if topic.description:
            stream.write(f"  <description>{escape(topic.description)}</description>\n")
        for each in topic.subtopics:
            stream.write(
                f"  <subtopic number={quoteattr(each.name)}{_type(each.type)}>"
                f"{escape(each.text)}</subtopic>\n"
            )
        stream.write("</topic>\n")
    stream.write("</topics>\n")


def _type(kind: str) -> str:
    return f" type={quoteattr(kind)}" if kind else ""


class _TopicsReader:
    """Listens to the parser: which element is open, and the text inside it."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self.topics: dict[str, Topic] = {}
        self.odd_types: list[str] = []
        self._topic: dict[str, str] | None = None
        self._subtopics: list[Subtopic] = []
        self._texts: dict[str, str] = {}
        self._subtopic: dict[str, str] = {}
        self._pieces: list[str] = []
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._pieces.append
        parser.EntityDeclHandler = self._refuse_entity
        parser.SkippedEntityHandler = self._refuse_entity
        self._parser = parser

    def feed(self, piece: bytes, last: bool = False) -> None:
        """The next bytes of the file."""
        try:
            self._parser.Parse(piece, last)
        except expat.ExpatError as error:
            self._report.fatal(
                f"the file is not well-formed XML ({expat.ErrorString(error.code)})",
                line=error.lineno,
                expected="topics in XML",
                remedy="mend the XML there",
            )
        except (UnicodeError, LookupError, ValueError) as error:
            self._report.fatal(
                f"the file cannot be decoded ({error})",
                expected="XML in UTF-8",
                remedy="convert it to UTF-8",
            )

    def _refuse_entity(self, name: str, *_: object) -> NoReturn:
        self._report.fatal(
            "the file declares or uses an entity of its own",
            line=self._parser.CurrentLineNumber,
            text=name,
            expected="topics without entities",
            remedy="write the texts themselves",
        )

    def _start(self, element: str, attributes: dict[str, str]) -> None:
        self._pieces.clear()
        if element == "topic":
            self._topic = attributes
            self._subtopics = []
            self._texts = {}
        elif element == "subtopic":
            self._subtopic = attributes

    def _end(self, element: str) -> None:
        text = " ".join("".join(self._pieces).split())
        self._pieces.clear()
        if self._topic is None:
            return
        line = self._parser.CurrentLineNumber
        try:
            if element in ("query", "description"):
                self._texts[element] = text
            elif element == "subtopic":
                kind = self._subtopic.get("type", "")
                if kind not in ("", "inf", "nav"):
                    self.odd_types.append(f"{kind!r} on line {line}")
                name = name_of(self._subtopic.get("number"), "subtopic's number")
                self._subtopics.append(Subtopic(name, text, kind))
            elif element == "topic":
                self._finish_topic(name_of(self._topic.get("number"), "topic's number"), line)
        except MalformedError as error:
            self._report.malformed(error, line, text)

    def _finish_topic(self, name: str, line: int) -> None:
        attributes, self._topic = self._topic or {}, None
        if name in self.topics:
            raise InputError(
                f"topic {name} stands twice",
                path=self._report.path,
                line=line,
                expected="every topic once",
                remedy="remove one of the two",
            )
        self.topics[name] = Topic(
            name=name,
            query=self._texts.get("query", ""),
            description=self._texts.get("description", ""),
            type=attributes.get("type", ""),
            subtopics=tuple(self._subtopics),
        )
