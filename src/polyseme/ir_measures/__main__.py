"""``python -m polyseme.ir_measures``: the command ``ir_measures``, which knows our measures."""

from __future__ import annotations

import sys

from ir_measures.__main__ import main_cli

import polyseme.ir_measures
from polyseme.errors import PolysemeError


def main() -> None:
    """Run the command; what is wrong with an input is told in a line or two."""
    assert polyseme.ir_measures.Provider.NAME
    try:
        main_cli()
    except PolysemeError as error:
        print(f"error: {error}", file=sys.stderr)  # noqa: T201 - it is a command
        sys.exit(1)


if __name__ == "__main__":
    main()
