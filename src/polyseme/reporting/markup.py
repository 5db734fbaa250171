"""For papers and pages: Markdown, LaTeX and HTML, the best value of each column bold."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from typing import TextIO

from polyseme.hypertext import page_html
from polyseme.reporting.layout import Block, for_page
from polyseme.tables import NOTHING, Report, Table

#: letters that are symbols of mathematics to LaTeX
_SYMBOLS = {
    "α": "alpha",
    "β": "beta",
    "γ": "gamma",
    "δ": "delta",
    "λ": "lambda",
    "ξ": "xi",
    "τ": "tau",
    "Δ": "Delta",
    "→": "rightarrow",
    "↑": "uparrow",
    "↓": "downarrow",
    "×": "times",
    "✓": "checkmark",
    "≤": "leq",
    "≥": "geq",
    "∅": "emptyset",
    "·": "cdot",
}
#: packages that some tables need besides booktabs, and how one sees it
_PACKAGES = {"amssymb": r"\checkmark", "adjustbox": r"\begin{adjustbox}"}
#: what pdflatex can set: Latin letters, and the punctuation that it knows
_PLAIN = re.compile("[\n -~\u00a1-\u017f\u2013\u2014\u2018-\u201e\u2026]*")
_ALPHA = re.compile(r"\balpha(?=#?-n?(?:DCG|ERR|RBP))")
#: columns of letters that a page takes; wider tables are made smaller
_PAGE_LETTERS = 62
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
        **{letter: rf"\ensuremath{{\{name}}}" for letter, name in _SYMBOLS.items()},
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
    if any(block.groups):
        # no cell stands across columns: each says what it belongs to
        above = [f"{_in_markdown(group)}<br>" if group else "" for group in block.groups]
        head = [group + name for group, name in zip(above, head, strict=True)]
    body = _marked(block, _in_markdown, lambda text: f"**{text}**" if text else "")
    for place in sorted(block.parts, reverse=True):
        title = f"*{_in_markdown(block.parts[place])}*"
        body.insert(place, [title, *[""] * (len(head) - 1)])
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
    """Tables for the packages booktabs, amssymb and adjustbox, with the notes in the caption."""
    written = io.StringIO()
    for table in report.seen:
        _write_tabular(table, report.notes, written)
    text = written.getvalue()
    packages = ["booktabs"]
    packages += [name for name, sign in _PACKAGES.items() if sign in text]
    stream.write("".join(f"% \\usepackage{{{name}}}\n" for name in packages))
    if not _PLAIN.fullmatch(text):
        stream.write("% it holds letters that pdflatex lacks: use xelatex or lualatex\n")
    for note in report.all_notes:
        stream.write(f"% {_one_line(note)}\n")
    stream.write(text)


def _write_tabular(table: Table, notes: tuple[str, ...], stream: TextIO) -> None:
    block = for_page(Block.of(table))
    stream.write("\\begin{table}\n  \\centering\n")
    said = [_in_latex(_sentence(each)) for each in (table.caption, *notes) if each]
    if said:
        stream.write(f"  \\caption{{{' '.join(said)}}}\n")
    wide = not block.fits(_PAGE_LETTERS)
    if wide:
        stream.write("  \\begin{adjustbox}{max width=\\linewidth}\n")
    alignment = "".join("r" if right else "l" for right in block.right)
    stream.write(f"  \\begin{{tabular}}{{{alignment}}}\n    \\toprule\n")
    if any(column.group for column in table.columns):
        stream.writelines(_latex_groups(table))
    stream.write(f"    {' & '.join(map(_in_latex, block.head))} \\\\\n    \\midrule\n")
    rows = _marked(block, _latex_cell, lambda text: rf"\textbf{{{text}}}" if text else "")
    for place, row in enumerate(rows):
        if place and (place in block.rules or place in block.parts):
            stream.write("    \\midrule\n")
        if place in block.parts:
            title = rf"\emph{{{_in_latex(block.parts[place])}}}"
            stream.write(f"    \\multicolumn{{{len(row)}}}{{l}}{{{title}}} \\\\\n")
        stream.write(f"    {' & '.join(row)} \\\\\n")
    stream.write("    \\bottomrule\n  \\end{tabular}\n")
    stream.write("  \\end{adjustbox}\n\\end{table}\n" if wide else "\\end{table}\n")


def _latex_groups(table: Table) -> Iterator[str]:
    """What columns share, above them, with a line below each."""
    cells, lines, first = [], [], 1
    for name, many in table.spans:
        if name:
            cells.append(rf"\multicolumn{{{many}}}{{c}}{{{_in_latex(name)}}}")
            lines.append(rf"\cmidrule(lr){{{first}-{first + many - 1}}}")
        else:
            cells += [""] * many
        first += many
    yield f"    {' & '.join(cells)} \\\\\n    {''.join(lines)}\n"


def _latex_cell(text: str) -> str:
    """A cell; the sign of a negative number is a minus, not a hyphen."""
    return re.sub(r"(?<![\w.])-(?=\.?\d)", r"\\ensuremath{-}", _in_latex(text))


def write_html(report: Report, stream: TextIO) -> None:
    """A page that needs no network."""
    stream.write(page_html(report))


def _marked(
    block: Block, escape: Callable[[str], str], bold: Callable[[str], str]
) -> list[list[str]]:
    return [
        [bold(escape(text)) if top else escape(text) for text, top in zip(row, marks, strict=True)]
        for row, marks in zip(block.rows, block.bold, strict=True)
    ]


def _sentence(text: str) -> str:
    # a Greek letter is a symbol, and stays small
    first = text[:1].upper() if text[:1].isascii() else text[:1]
    return f"{first}{text[1:].rstrip('.')}."


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _in_markdown(text: str) -> str:
    return text.translate(_MARKDOWN).replace("\n", "<br>")


def _in_latex(text: str) -> str:
    # names of measures in ASCII letters, as papers print them
    return _ALPHA.sub("α", text).translate(_LATEX)
