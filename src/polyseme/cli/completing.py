"""What shells complete: the scripts that they load, and what these ask for.

A script hands over the line up to the cursor and gets a line for each candidate: its type, its
value and a description, with tabs between. The type says what follows: ``plain`` a space, ``part``
nothing; ``file`` and ``dir`` let the shell complete paths.
"""

from __future__ import annotations

import os
from typing import ClassVar

from click.shell_completion import (
    CompletionItem,
    ShellComplete,
    add_completion_class,
    split_arg_string,
)

_BASH = r"""# Completion of %(prog_name)s for bash 4.4 and later.
%(complete_func)s() {
    local kind value text
    COMPREPLY=()
    while IFS=$'\t' read -r kind value text; do
        case $kind in
            file) compopt -o default ;;
            dir) compopt -o dirnames ;;
            part) compopt -o nospace; COMPREPLY+=("$value") ;;
            plain) COMPREPLY+=("$value") ;;
        esac
    done < <(COMP_LINE="${COMP_LINE:0:$COMP_POINT}" COMP_WORDBREAKS="$COMP_WORDBREAKS" \
        %(complete_var)s=bash_complete "$1" 2>/dev/null)
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""

_ZSH = r"""#compdef %(prog_name)s
# Completion of %(prog_name)s for zsh.
%(complete_func)s() {
    local kind value text
    local -a plain parts
    (( $+commands[$words[1]] )) || [[ -x $words[1] ]] || return 1
    while IFS=$'\t' read -r kind value text; do
        case $kind in
            file) _files ;;
            dir) _files -/ ;;
            part) parts+=("${value//:/\\:}${text:+:$text}") ;;
            plain) plain+=("${value//:/\\:}${text:+:$text}") ;;
        esac
    done < <(COMP_LINE="${(pj: :)words[1,CURRENT]}" %(complete_var)s=zsh_complete \
        "${words[1]}" 2>/dev/null)
    (( $#plain )) && _describe -V %(prog_name)s plain
    (( $#parts )) && _describe -V %(prog_name)s parts -S ''
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    %(complete_func)s "$@"
else
    compdef %(complete_func)s %(prog_name)s
fi
"""

_FISH = r"""# Completion of %(prog_name)s for fish.
function %(complete_func)s
    set -l line (commandline -cp | string collect)
    for found in (env %(complete_var)s=fish_complete COMP_LINE="$line" %(prog_name)s 2>/dev/null)
        set -l piece (string split -m 2 \t -- $found)
        switch $piece[1]
            case file
                __fish_complete_path (commandline -ct)
            case dir
                __fish_complete_directories (commandline -ct)
            case '*'
                printf '%%s\t%%s\n' $piece[2] $piece[3]
        end
    end
end
complete --no-files --command %(prog_name)s --arguments "(%(complete_func)s)"
"""


class Completion(ShellComplete):
    """What all shells have in common."""

    def get_completion_args(self) -> tuple[list[str], str]:
        return words_of(os.environ["COMP_LINE"])

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[str]]:
        found = super().get_completions(args, incomplete)
        if not found and args:
            # no list of values is known, so it may be a file
            return [CompletionItem("", type="file")]
        option, equals, _ = incomplete.partition("=")
        if equals and option.startswith("--"):
            # click completes the value alone, shells the whole word
            for item in found:
                item.value = f"{option}={item.value}"
        return found

    def format_completion(self, item: CompletionItem[str]) -> str:
        return f"{item.type}\t{item.value}\t{' '.join((item.help or '').split())}".rstrip("\t")


class Bash(Completion):
    """bash, which completes from the last of its word breaks on."""

    name: ClassVar[str] = "bash"
    source_template: ClassVar[str] = _BASH

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[str]]:
        found = super().get_completions(args, incomplete)
        if not in_quotes(os.environ["COMP_LINE"]):
            breaks = os.environ.get("COMP_WORDBREAKS", "")
            last = max((place for place, c in enumerate(incomplete) if c in breaks), default=-1)
            # readline leaves these two at the beginning of what it completes
            start = last if incomplete[last : last + 1] in ("@", "$") else last + 1
            for item in found:
                item.value = item.value.removeprefix(incomplete[:start])
        return found


class Zsh(Completion):
    """zsh, which completes whole words and quotes what it inserts."""

    name: ClassVar[str] = "zsh"
    source_template: ClassVar[str] = _ZSH


class Fish(Completion):
    """fish, which completes whole words too."""

    name: ClassVar[str] = "fish"
    source_template: ClassVar[str] = _FISH


SHELLS: dict[str, type[Completion]] = {each.name: each for each in (Bash, Zsh, Fish)}
for _shell in SHELLS.values():
    add_completion_class(_shell)


def words_of(line: str) -> tuple[list[str], str]:
    """The finished words behind the command's own, and the one being written."""
    words = split_arg_string(line)
    # is the cursor at the end of a word, or would a letter begin another one?
    if len(split_arg_string(line + "x")) > len(words):
        words.append("")
    return words[1:-1], words[-1]


def in_quotes(line: str) -> bool:
    """Is a quote open at the end of the line?"""
    # within quotes a blank does not end the word
    return len(split_arg_string(line + "x x")) == len(split_arg_string(line + "x"))


def script(shell: str, program: str, variable: str) -> str:
    """What a shell must load."""
    from polyseme.cli import main

    return SHELLS[shell](main, {}, program, variable).source()
