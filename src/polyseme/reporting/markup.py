"""For papers and pages: Markdown and LaTeX, the best value of each column bold."""

from __future__ import annotations

from collections.abc import Callable
from typing import TextIO

from polyseme.reporting.tables import NOTHING, Report, Table

_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        '"': r"\textquotedbl{}",
        # one prime, two primes: as in the papers
        "'": r"\ensuremath{'}",
        "\n": " ",
        NOTHING: "--",
    }
)
_MARKDOWN = str.maketrans(
    {
        **{letter: f"\\{letter}" for letter in "\\`*_[]<>|#"},
        "\n": " ",
    }
)


def write_markdown(report: Report, stream: TextIO) -> None:
    """Pipe tables, with the notes below."""
    for number, table in enumerate(report.seen):
        if number:
            stream.write("\n")
        if table.caption:
            stream.write(f"**{_in_markdown(table.caption)}**\n\n")
        _write_pipes(table, stream)
    for note in report.all_notes:
        stream.write(f"\n{_in_markdown(note)}\n")


def _write_pipes(table: Table, stream: TextIO) -> None:
    head = [_in_markdown(name) for name in table.names]
    body = _marked(table, _in_markdown, lambda text: f"**{text}**")
    widths = [max(3, *map(len, column)) for column in zip(head, *body, strict=True)]
    right = [column.kind == "value" for column in table.columns]
    rule = ["-" * (width - 1) + (":" if r else "-") for width, r in zip(widths, right, strict=True)]
    for row in (head, rule, *body):
        cells = [
            text.rjust(width) if r else text.ljust(width)
            for text, width, r in zip(row, widths, right, strict=True)
        ]
        stream.write(f"| {' | '.join(cells)} |\n")


def write_latex(report: Report, stream: TextIO) -> None:
    """Tables for the package booktabs, with the notes in the caption."""
    stream.write("% \\usepackage{booktabs}\n")
    for note in report.all_notes:
        stream.write(f"% {_one_line(note)}\n")
    for table in report.seen:
        _write_tabular(table, report.notes, stream)


def _write_tabular(table: Table, notes: tuple[str, ...], stream: TextIO) -> None:
    body = _marked(table, _in_latex, lambda text: rf"\textbf{{{text}}}")
    alignment = "".join("r" if column.kind == "value" else "l" for column in table.columns)
    stream.write("\\begin{table}\n  \\centering\n")
    sentences = [table.caption] if table.caption else []
    said = [
        _in_latex(f"{each[:1].upper()}{each[1:].rstrip('.')}.") for each in (*sentences, *notes)
    ]
    if said:
        stream.write(f"  \\caption{{{' '.join(said)}}}\n")
    stream.write(f"  \\begin{{tabular}}{{{alignment}}}\n    \\toprule\n")
    stream.write(f"    {' & '.join(map(_in_latex, table.names))} \\\\\n    \\midrule\n")
    for row in body:
        stream.write(f"    {' & '.join(row)} \\\\\n")
    stream.write("    \\bottomrule\n  \\end{tabular}\n\\end{table}\n")


def _marked(
    table: Table, escape: Callable[[str], str], bold: Callable[[str], str]
) -> list[list[str]]:
    return [
        [bold(escape(text)) if top else escape(text) for text, top in zip(row, marks, strict=True)]
        for row, marks in zip(table.shown, table.best, strict=True)
    ]


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _in_markdown(text: str) -> str:
    return text.translate(_MARKDOWN)


def _in_latex(text: str) -> str:
    return text.translate(_LATEX)
