"""When to use a measure, and what to mind: of itself, of what it is made from, of its group."""

from __future__ import annotations

from dataclasses import dataclass

from polyseme.measures.measure import Family


@dataclass(frozen=True)
class Advice:
    """Sentences for those who choose."""

    use: str
    mind: str


#: of measures of one list, and so of the four measures that are made from each
BASES: dict[str, Advice] = {
    "P": Advice(
        "All of the top l is looked at, as with the passages of a prompt: how many are any good?",
        "Blind to grades and to the order above the cutoff. A topic with fewer relevant "
        "documents than the cutoff cannot reach 1.",
    ),
    "nDCG": Advice(
        "Graded judgments, and users who read on with waning patience.",
        "The ideal list makes topics alike: one relevant document can be worth as much as a "
        "hundred. `form=jk`, the original, does not discount ranks 1 and 2.",
    ),
    "Q": Advice(
        "Graded judgments and recall in one: each relevant document counts by how good the list"
        " is down to it.",
        "With a cutoff it divides by min(l, R), other programs by R. `beta` weighs gains "
        "against counts; `beta=0` leaves AP.",
    ),
    "ERR": Advice(
        "Users who stop when satisfied: one good document is nearly enough.",
        "What follows a highly relevant document hardly counts, so deep lists are hard to tell "
        "apart. The highest grade of the judgments (`gmax`) is part of every value: collections"
        " with other scales do not compare.",
    ),
    "EBR": Advice(
        "Users who stop when satisfied, and who then judge the whole list so far.",
        "Not monotone: a document more that is relevant can lower the value, because users stop"
        " there and forgo better ones below.",
    ),
    "RBP": Advice(
        "A user that can be stated in one number, the patience `p`, without an ideal list.",
        "A list that ends cannot reach 1: the top l hold at most 1 - p^l, which for `p=0.99` at"
        " 10 is .096. `view=lower` and `view=upper` bound what unjudged documents could add.",
    ),
    "iRBU": Advice(
        "Whether users get satisfied at all, and a little how soon: what RBU takes of each intent.",
        "With `p` near 1 ranks hardly count.",
    ),
    "AP": Advice(
        "Judgments that are nearly complete and only say relevant or not; the older literature.",
        "Blind to grades, and falls far where relevant documents are unjudged. `norm=R` is "
        "trec_eval's: with a cutoff below R the two differ.",
    ),
    "RR": Advice(
        "Known-item search: only the first relevant document counts.",
        "It takes few values, 1, 1/2, 1/3 and so on, so means are coarse and many topics are "
        "needed before a difference is more than chance.",
    ),
}

GROUPS: dict[str, Advice] = {
    "ad hoc": Advice(
        "There are no intents, or a report needs a number that does not look at them.",
        "Judgments of several intents are first made one grade a document: `--adhoc` says how, "
        "and the numbers depend on it.",
    ),
    "intent-aware": Advice(
        "The value for a user whose intent is drawn by its probability.",
        "Serving the likeliest intent again and again is rewarded, and a list that leaves out a"
        " rare intent can win: report I-rec beside it. No list is ideal for all intents at "
        "once, so even the best one may stay below 1.",
    ),
    "D": Advice(
        "Grades and probabilities in one gain: documents that serve likely intents well, or "
        "many intents at once, should come first.",
        "Blind to redundancy: ten documents for the likeliest intent can be the ideal. Report "
        "I-rec beside it, or take the D#-measure.",
    ),
    "D#": Advice(
        "One number for breadth and quality, whose halves can be plotted against each other.",
        "Say which half a difference comes from. I-rec takes few values where intents are few. "
        "The halves have different ideals, so 1 may be out of reach.",
    ),
    "cascade": Advice(
        "A second document for the same intent is worth less than the first.",
        "The best list is searched for greedily, since finding the very best one is "
        "intractable; rarely a list is better than this ideal.",
    ),
    "cube": Advice(
        "Interactive search in iterations, where each intent needs only so much.",
        "Probabilities of intents do not count. A plain run is one iteration, so a value "
        "compares with others of runs shown in the same way only.",
    ),
    "ndeval": Advice(
        "Numbers that must compare with those of TREC's Web Track.",
        "Grades only say relevant or not, and all intents of a topic are equally likely, "
        "whatever you give. The native measure of the same name is graded.",
    ),
    "ntcireval": Advice(
        "Numbers that must compare with those of NTCIR's tasks.",
        "Values are rounded to 4 decimals before they are combined, lists are cut before "
        "anything is computed, and each ideal list has a highest gain of its own.",
    ),
    "trec_eval": Advice(
        "Numbers that must compare with trec_eval's.",
        "One grade a document; negative grades are unjudged there. Scores are compared in "
        "single precision by the usual version.",
    ),
    "rbu": Advice(
        "Numbers that must compare with those of RBU's inventors.",
        "Another formula than RBU's: it has no cutoff, and its own rule for grades.",
    ),
    "jig": Advice(
        "Numbers that must compare with TREC Dynamic Domain's.",
        "Later copies of a document count as non-relevant. A cutoff counts iterations.",
    ),
}

NAMES: dict[str, Advice] = {
    "I-rec": Advice(
        "How many intents does a list serve at all? The plainest measure of breadth.",
        "Blind to grades, order and probabilities. Where intents are few or the cutoff is deep,"
        " most runs have the same value.",
    ),
    "RBU": Advice(
        "Reading costs: a list padded with rubbish loses against one that ends.",
        "It can be negative. `effort=length` charges for the ranks that were filled, "
        "`effort=cutoff` for all. The inventors' own program computes `form=amigo`.",
    ),
    "DIN-nDCG": Advice(
        "Some intents need one page only: a second document for a navigational intent gains "
        "nothing.",
        "It needs the types of intents (`--topics-xml` or probabilities with types); without "
        "them it is D-nDCG. It is divided by D-nDCG's ideal, so 1 may be out of reach.",
    ),
    "P+Q": Advice(
        "Navigational and informational intents, each with a measure of its kind.",
        "It needs the types of intents; without them it is Q-IA.",
    ),
    "P+Q#": Advice(
        "P+Q where breadth should count by itself: intent recall is mixed in.",
        "It needs the types of intents. Say which half a difference comes from.",
    ),
    "alpha-DCG": Advice(
        "Sums that are compared within one topic, or normalised by yourself.",
        "Topics with many intents or high grades outweigh others in a mean.",
    ),
    "alpha-nDCG": Advice(
        "The measure of many diversity tasks, here with grades and probabilities.",
        "`ndeval:alpha-nDCG` is the official number. With graded gains a second, highly relevant "
        "document for an intent can still outweigh a first one for another.",
    ),
    "NRBP": Advice(
        "Patience `beta` and weariness `alpha` as two plain numbers.",
        "Probabilities do not count. Values are small, and not comparable across `beta`.",
    ),
    "nNRBP": Advice(
        "NRBP where topics should be alike: divided by the ideal list's.",
        "Probabilities do not count.",
    ),
    "alpha#-nDCG-IA": Advice(
        "Breadth by itself, mixed with a cascade measure; how intents are averaged can be chosen.",
        "With `average=geom` one intent that gets nothing decides the value, and `floor` "
        "decides how much. `lambda` weighs I-rec.",
    ),
    "alpha#-nERR-IA": Advice(
        "As alpha#-nDCG-IA, with the steep discount 1/r: the first ranks decide.",
        "Despite its name there is no stopping: the discount of ERR, not its users.",
    ),
    "alpha#-nRBP-IA": Advice(
        "As alpha#-nDCG-IA, with a patience `beta` of your own.",
        "With `beta` near 1 ranks hardly count.",
    ),
    "D-cascade": Advice(
        "What Golbus, Aslam and Clarke call D: discounts of cascade measures on the global gain.",
        "There is neither stopping nor novelty: it is not D-ERR or D-RBP.",
    ),
    "D#-cascade": Advice(
        "Golbus, Aslam and Clarke's D#: D-cascade with I-rec mixed in.",
        "It is not D#-ERR or D#-RBP.",
    ),
    "CT": Advice(
        "How much of all needs is filled for the iterations used.",
        "`height` caps what an intent can take; beyond it documents are worth nothing.",
    ),
    "ACT": Advice(
        "Speed: CT averaged over the documents on the way.",
        "A non-relevant document at the end can raise it: it violates irrelevance nearly always.",
    ),
    "nCT": Advice(
        "CT where topics should be alike: divided by a bound.",
        "The usual bound is loose, so 1 may be out of reach; `bound=tight` discounts it like "
        "the gain.",
    ),
}


def base_of(family: Family) -> str | None:
    """The measure of one list that a measure is made from: Q of D#-Q."""
    if family.group not in ("ad hoc", "intent-aware", "D", "D#"):
        return None
    return family.name.removeprefix("D#-").removeprefix("D-").removesuffix("-IA")


def advice_on(family: Family) -> list[Advice]:
    """What there is to say of a measure, its own first."""
    base = base_of(family)
    own = BASES.get(base) if base is not None else NAMES.get(family.name)
    found = [own, GROUPS.get(family.group)]
    return [advice for advice in found if advice is not None]
