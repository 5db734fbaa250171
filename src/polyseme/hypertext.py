"""Tables as HTML: whole, with the heads that columns share, and inert whatever names they hold."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from polyseme.tables import Report, Table

_STYLE = """
:root { color-scheme: light dark; --ground: #ffffff; --ink: #1d2329; --quiet: #5b636b;
  --line: #cfd4d9; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #15191e; --ink: #e8ebee; --quiet: #a9b1b9; --line: #3a424b; }
}
body { margin: 0 auto; max-width: 80rem; padding: 1rem; background: var(--ground);
  color: var(--ink); font: 1rem/1.5 system-ui, "Liberation Sans", Arial, sans-serif; }
h1 { font-size: 1.3rem; }
.scrolls { overflow-x: auto; margin: 0 0 1.5rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums;
  border-top: 2px solid; border-bottom: 2px solid; }
caption { text-align: left; padding: .3rem 0; max-width: 48rem; }
th, td { padding: .15rem .7rem; text-align: left; vertical-align: top; white-space: pre-line; }
thead tr:last-child th { border-bottom: 1px solid; }
th.spans { text-align: center; border-bottom: 1px solid var(--line); }
tbody th { font-weight: normal; }
tbody tr.part th { font-style: italic; }
tr.ruled > * { border-top: 1px solid var(--line); }
.number { text-align: right; }
h2 { font-size: 1.05rem; margin: 2rem 0 .3rem; }
img { max-width: 100%; height: auto; background: #ffffff; }
p { color: var(--quiet); font-size: .875rem; max-width: 48rem; margin: .25rem 0; }
"""


def table_html(table: Table) -> str:
    """One table."""
    caption = f"<caption>{escape(table.caption)}</caption>" if table.caption else ""
    head = "".join(f"<tr>{row}</tr>" for row in _head(table))
    body = "".join(_body(table))
    return f"<table>{caption}<thead>{head}</thead><tbody>{body}</tbody></table>"


def _head(table: Table) -> Iterator[str]:
    if any(column.group for column in table.columns):
        yield "".join(
            f'<th colspan="{many}" scope="colgroup" class="spans">{escape(name)}</th>'
            if name
            else f'<td colspan="{many}"></td>'
            for name, many in table.spans
        )
    yield "".join(
        f'<th scope="col"{_class(column.kind)}>{escape(column.name)}</th>'
        if column.name
        else "<td></td>"
        for column in table.columns
    )


def _body(table: Table) -> Iterator[str]:
    for place, (row, marks) in enumerate(zip(table.shown, table.best, strict=True)):
        ruled = ' class="ruled"' if place in table.rules else ""
        if place in table.parts:
            yield (
                f'<tr class="part{" ruled" if ruled else ""}"><th colspan="{len(table.columns)}" '
                f'scope="colgroup">{escape(table.parts[place])}</th></tr>'
            )
            ruled = ""
        cells = [
            _cell(text, column.kind, head=not number and column.kind == "label", bold=bold)
            for number, (text, column, bold) in enumerate(
                zip(row, table.columns, marks, strict=True)
            )
        ]
        yield f"<tr{ruled}>{''.join(cells)}</tr>"


def _cell(text: str, kind: str, *, head: bool, bold: bool) -> str:
    held = f"<strong>{escape(text)}</strong>" if bold and text else escape(text)
    if head and text:
        return f'<th scope="row">{held}</th>'
    return f"<td{_class(kind)}>{held}</td>"


def _class(kind: str) -> str:
    return ' class="number"' if kind == "value" else ""


def report_html(report: Report) -> str:
    """All tables that people see, and the notes: a fragment of a page."""
    tables = "".join(f'<div class="scrolls">{table_html(table)}</div>' for table in report.seen)
    return tables + "".join(f"<p>{escape(note)}</p>" for note in report.all_notes)


def page_html(report: Report) -> str:
    """A page of its own, which needs no network and runs no script."""
    title = report.title or next((t.caption for t in report.seen if t.caption), "polyseme")
    return document(title, report_html(report))


def document(title: str, body: str, *, pictures: bool = False) -> str:
    """A page around a body; it may show pictures that stand beside it, and nothing else."""
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    policy += "; img-src 'self' file:" if pictures else ""
    said = escape(title)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{said}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{said}</h1>\n{body}\n</main>\n</body>\n</html>\n"
    )
