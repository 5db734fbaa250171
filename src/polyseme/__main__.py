"""``python -m polyseme``: the command, where it is not on the path."""

from polyseme.cli import main

main(prog_name="polyseme")
