"""For papers and pages: Markdown and LaTeX, the best value of each column bold."""

from __future__ import annotations

from collections.abc import Callable
from typing import TextIO

from polyseme.reporting.layout import Block, for_page
from polyseme.tables import NOTHING, Report, Table

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
_MARKDOWN = str.maketrans({letter: f"\\{letter}" for letter in "\\`*_[]<>|#"})


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
    block = for_page(Block.of(table))
    head = [_in_markdown(name) for name in block.head]
    body = _marked(block, _in_markdown, lambda text: f"**{text}**")
    widths = [max(3, *map(len, column)) for column in zip(head, *body, strict=True)]
    rule = [
        "-" * (width - 1) + (":" if right else "-")
        for width, right in zip(widths, block.right, strict=True)
    ]
    for row in (head, rule, *body):
        cells = [
            text.rjust(width) if right else text.ljust(width)
            for text, width, right in zip(row, widths, block.right, strict=True)
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
    block = for_page(Block.of(table))
    stream.write("\\begin{table}\n  \\centering\n")
    said = [_in_latex(_sentence(each)) for each in (table.caption, *notes) if each]
    if said:
        stream.write(f"  \\caption{{{' '.join(said)}}}\n")
    alignment = "".join("r" if right else "l" for right in block.right)
    stream.write(f"  \\begin{{tabular}}{{{alignment}}}\n    \\toprule\n")
    stream.write(f"    {' & '.join(map(_in_latex, block.head))} \\\\\n    \\midrule\n")
    for row in _marked(block, _in_latex, lambda text: rf"\textbf{{{text}}}"):
        stream.write(f"    {' & '.join(row)} \\\\\n")
    stream.write("    \\bottomrule\n  \\end{tabular}\n\\end{table}\n")


def _marked(
    block: Block, escape: Callable[[str], str], bold: Callable[[str], str]
) -> list[list[str]]:
    return [
        [bold(escape(text)) if top else escape(text) for text, top in zip(row, marks, strict=True)]
        for row, marks in zip(block.rows, block.bold, strict=True)
    ]


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _in_markdown(text: str) -> str:
    return text.translate(_MARKDOWN).replace("\n", "<br>")


def _in_latex(text: str) -> str:
    return text.translate(_LATEX)
