"""The command ``polyseme``.

Commands are loaded when they are used: ``polyseme --version`` and ``polyseme --help`` import
nothing that only one command needs.
"""

from __future__ import annotations

import errno
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any

import click

from polyseme import __version__
from polyseme.atomic import unwritable
from polyseme.cli.late import LateGroup
from polyseme.cli.tree import COMPLETE, EXIT_STATUS
from polyseme.errors import PolysemeError, PolysemeWarning

#: each command's module, whose function of the same name is the command, and its short help
COMMANDS = {
    "evaluate": "Score runs by measures.",
    "explain": "Show rank by rank how a run's numbers arise.",
    "measures": "List the measures, or explain one.",
    "validate": "List everything that is wrong with files.",
    "convert": "Write files in other formats.",
    "condense": "Write runs without their unjudged documents.",
    "describe": "Describe a collection and the difficulty of its topics.",
    "pool": "Pool runs, and tell who contributed what.",
    "merge": "Add judgments to judgments.",
    "loo": "Leave out each team, and see how fairly its runs are evaluated.",
    "depth": "Compare pools of several depths at several cutoffs.",
    "correlate": "Correlate how measures rank runs.",
    "compare": "Test differences between runs for significance.",
    "discriminate": "Measure how many pairs of runs measures tell apart.",
    "unanimity": "Measure how measures agree with all others.",
    "concordance": "Test which measures agree more often with simple ones.",
    "pairs": "Choose pairs of result lists for people to compare.",
    "judge": "Ask people: preferences, grades and votes, by a web server.",
    "agree": "Tell how measures agree with people's preferences.",
    "sensitivity": "Measure how measures respond to diversity alone.",
    "grid": "Measure the alpha#-IA family over a grid of parameters.",
    "properties": "Check formal properties of measures on all short rankings.",
    "report": "Write a page that answers five questions about runs.",
    "plot": "Draw a figure of runs, measures or collections.",
    "table": "Set a table as papers do.",
    "experiment": "Make tables, figures and the report that a file declares.",
    "synth": "Make a synthetic test collection.",
    "doctor": "Check this installation.",
    "completion": "Print what lets a shell complete commands and measures.",
    "manual": "Print manual pages.",
}
INTERRUPTED = 130
BROKEN_PIPE = 141


def _tell(label: str, text: str, **look: Any) -> None:
    """A line on standard error; its label is in colour on a terminal, unless NO_COLOR is set."""
    colour = False if os.environ.get("NO_COLOR") else None
    click.echo(click.style(label, **look) + f" {text}", err=True, color=colour)


class Failure(click.ClickException):
    """An error of ours on its way to standard error."""

    def show(self, file: Any = None) -> None:
        _tell("error:", self.message, fg="red", bold=True)


class Commands(LateGroup):
    """The commands; what goes wrong in them is told in a line or two."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Exit status"):
            formatter.write_dl([(str(status), text) for status, text in EXIT_STATUS.items()])

    def main(self, *args: Any, **said: Any) -> Any:
        if COMPLETE in os.environ:
            import_module("polyseme.cli.completing")
        return super().main(*args, **said)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with warnings_told():
                result = super().invoke(ctx)
            _flush()
        except PolysemeError as error:
            raise Failure(str(error)) from None
        except KeyboardInterrupt:
            ctx.exit(INTERRUPTED)
        except UnicodeEncodeError as error:
            raise Failure(_unwritable(error)) from None
        except OSError as error:
            # what reads files and writes them has errors of its own: this is standard output
            _forget_output()
            if error.errno == errno.EPIPE:
                ctx.exit(BROKEN_PIPE)
            raise Failure(str(unwritable(error.filename or "standard output", error))) from None
        return result


def _unwritable(error: UnicodeEncodeError) -> str:
    letters = error.object[error.start : error.end]
    utf8 = error.encoding.lower().replace("-", "") == "utf8"
    remedy = "rename the file that it comes from" if utf8 else "set PYTHONUTF8=1"
    return f"a name holds {letters!r}, which {error.encoding} cannot write\n  to mend it: {remedy}"


def _flush() -> None:
    """Let a broken pipe show here, and not when the interpreter ends."""
    if sys.stdout is not None:
        sys.stdout.flush()


def _forget_output() -> None:
    """Nobody can have what is still to be written: nor should the interpreter try at its end."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def warnings_told() -> Iterator[None]:
    """Print each warning of ours once, in a line on standard error, unless --quiet was said."""
    told: set[str] = set()

    def tell(message: Warning | str, category: type[Warning], *rest: Any) -> None:
        if not issubclass(category, PolysemeWarning):
            others(message, category, *rest)
            return
        context = click.get_current_context(silent=True)
        quiet = context is not None and bool(context.params.get("quiet"))
        text = " ".join(str(message).split())
        if text not in told and not quiet:
            told.add(text)
            _tell("warning:", text, fg="yellow")

    with warnings.catch_warnings():
        warnings.simplefilter("always", PolysemeWarning)
        others = warnings.showwarning
        warnings.showwarning = tell  # type: ignore[assignment]
        yield


@click.group(
    "polyseme",
    cls=Commands,
    known=COMMANDS,
    package=__name__,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, message="%(prog)s %(version)s")
def main() -> None:
    """Evaluate search results where one query has several intents."""
