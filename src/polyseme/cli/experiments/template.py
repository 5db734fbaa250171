"""What ``polyseme experiment init`` writes."""

TEMPLATE = """\
# An experiment of polyseme. Run it with: polyseme experiment experiment.toml
# Paths are as seen from this file's folder. What did not change is reused the next time.

title = "My runs"
# Where results go; a folder beside this file.
folder = "results"
# For everything random: the same seed gives the same result.
seed = 1

[collection]
judgments = "judgments.qrels"
runs = ["runs/*.run"]
# Which team made which run: a file with the columns run,team.
teams = "teams.csv"
# How judgments are read; any option of `polyseme evaluate` can stand here.
# probabilities = "probabilities.txt"
# gain = "exponential"

# What holds for every step that takes it.
[options]
measures = ["D#-nDCG@10", "I-rec@10", "D-nDCG@10", "ERR-IA@10"]
# How deep the pools were.
depth = 20
trials = 1000

# A table is of a command, as polyseme writes it, or of a kind, as a paper sets it (see
# `polyseme table`). Formats: csv, json, jsonl, parquet, markdown, latex, html, table.
[tables]
formats = ["csv", "markdown", "latex"]

[tables.scores]
command = "evaluate"

[tables.differences]
command = "compare"

[tables.correlation]
kind = "correlation"
show = "interval"

[tables.without-a-team]
kind = "leave-one-out"

# A figure is of a kind (`polyseme plot`). Formats: svg, html, png, pdf, json.
[figures]
formats = ["svg", "html"]

[figures.rankings]
kind = "rankings"
by = "ERR-IA@10"

[figures.scatter]
kind = "scatter"

[figures.without-a-team]
kind = "leave-one-out"
measure = "D#-nDCG@10"

[figures.means]
kind = "means"

# One page that answers what a reader asks first; leave it out if you need none.
[report]
title = "My runs"
"""
