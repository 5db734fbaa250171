"""``polyseme completion``."""

from __future__ import annotations

import click

from polyseme.cli import options
from polyseme.cli.tree import COMPLETE, NAME

SHELLS = ("bash", "zsh", "fish")


@click.command(
    short_help="Print what lets a shell complete commands and measures.",
    epilog=options.examples(
        "polyseme completion bash",
        "polyseme completion zsh",
        "polyseme completion fish",
    ),
)
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print the script with which SHELL completes commands, options, values and measures' names.

    For bash, add to ~/.bashrc: eval "$(polyseme completion bash)"

    For zsh, add to ~/.zshrc, below compinit: eval "$(polyseme completion zsh)"

    For fish: polyseme completion fish > ~/.config/fish/completions/polyseme.fish
    """
    from polyseme.cli.completing import script

    click.echo(script(shell, NAME, COMPLETE), nl=False)
