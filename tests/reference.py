"""A slow, obvious reference for every measure of the specification, section 3.

Plain loops over ranks 1..l and dictionaries, written from the formulas, sharing nothing with the
package it checks. Where a formula leaves a choice, the choice is stated beside it. The section
numbers ("3.1") are those of the specification.

Words: a *grade* is what an assessor gave, a *gain* what the gain function makes of it, a *hit* is
one rank of a list as one measure sees it, an *ideal* is a list of gains, best first.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Ranking = list[str] | list[list[str]]
Discount = Callable[[int], float]


# --- judgments and policies (section 2) ---------------------------------------------------------


@dataclass(frozen=True)
class Collection:
    """The judgments of all topics, and the policies they are read with."""

    judgments: dict[str, dict[str, dict[str, int]]]  # topic -> intent -> document -> grade
    probabilities: dict[str, dict[str, float]] = field(default_factory=dict)
    types: dict[str, dict[str, str]] = field(default_factory=dict)  # "inf" or "nav"
    gain: str | dict[int, float] = "linear"
    gmax: str | int = "collection"
    adhoc: str | dict[str, dict[str, int]] = "pseudo"
    keep_empty_intents: bool = False
    relevant_from: int = 1

    def bar(self, grade: int) -> int:
        """`relevant_from`: a lower grade is 0, judged and not relevant, before all else."""
        return grade if grade > 0 and grade >= self.relevant_from else 0

    def gain_of(self, grade: int) -> float:
        """The gain of a grade; nothing below 1 has any (spam is judged and not relevant)."""
        if grade <= 0:
            return 0.0
        if isinstance(self.gain, dict):
            if grade not in self.gain:
                raise ValueError(f"the gain table has no grade {grade}")
            return float(self.gain[grade])
        if self.gain == "exponential":
            return float(2**grade - 1)
        if self.gain == "linear":
            return float(grade)
        raise ValueError(f"gain must be linear, exponential or a table. Got {self.gain!r} instead.")

    @cached_property
    def highest_grade(self) -> int:
        """The highest grade of the judgments, over all topics and intents."""
        return max(
            (
                self.bar(grade)
                for intents in self.judgments.values()
                for documents in intents.values()
                for grade in documents.values()
            ),
            default=0,
        )

    def grade(self, topic: str, intent: str, document: str) -> int:
        return self.bar(self.judgments.get(topic, {}).get(intent, {}).get(document, 0))

    def documents(self, topic: str) -> list[str]:
        """The judged documents: any line for the topic, any intent, any grade."""
        return sorted({d for graded in self.judgments.get(topic, {}).values() for d in graded})

    def covers(self, topic: str, intent: str, document: str) -> bool:
        """A document is relevant to an intent where its gain is above 0."""
        return self.gain_of(self.grade(topic, intent, document)) > 0

    def relevant(self, topic: str, intent: str) -> list[str]:
        return [d for d in self.documents(topic) if self.covers(topic, intent, d)]

    def intents(self, topic: str) -> list[str]:
        """The intents that count, ascending (numbers as numbers).

        Those with a relevant document; the others too with `keep_empty_intents`, also where only
        the probabilities know them. Intent 0 without a positive grade is never an intent.
        """
        known = set(self.judgments.get(topic, {}))
        if topic in self.judgments:
            known |= set(self.probabilities.get(topic, {}))
        if not any(self.grade(topic, "0", d) > 0 for d in self.documents(topic)):
            known.discard("0")
        if not self.keep_empty_intents:
            known = {i for i in known if self.relevant(topic, i)}
        return sorted(known, key=lambda i: (0, int(i), i) if i.isdigit() else (1, 0, i))

    def probability(self, topic: str) -> dict[str, float]:
        """Pr(i) over the intents that count, summing to 1; uniform where nothing says otherwise."""
        intents = self.intents(topic)
        given = self.probabilities.get(topic, {})
        weights = {i: given.get(i, 0.0) for i in intents}
        total = sum(weights.values())
        if total == 0:
            return {i: 1 / len(intents) for i in intents}
        return {i: weight / total for i, weight in weights.items()}

    def adhoc_grades(self, topic: str) -> dict[str, int]:
        """3.5: one grade for each document, derived from its intents or from an own file."""
        if isinstance(self.adhoc, dict):
            return {d: self.bar(grade) for d, grade in self.adhoc.get(topic, {}).items()}
        derived = {}
        for document in self.documents(topic):
            grades = [self.grade(topic, i, document) for i in self.judgments[topic]]
            S = sum(grades)
            if self.adhoc == "pseudo":
                derived[document] = (S + 1).bit_length() - 1  # floor(log2(S + 1)), exactly
            elif self.adhoc == "max":
                derived[document] = max(grades)
            elif self.adhoc == "sum":
                derived[document] = S
            else:
                raise ValueError(
                    f"adhoc must be pseudo, max, sum or judgments. Got {self.adhoc!r} instead."
                )
        return derived

    def highest_adhoc_grade(self) -> int:
        topics = self.adhoc if isinstance(self.adhoc, dict) else self.judgments
        return max((g for t in topics for g in self.adhoc_grades(t).values()), default=0)

    def gmax_of(self, highest: int, ideal: Sequence[float]) -> float:
        """The largest gain: of `highest`, the highest grade; of this ideal list; or gain(N)."""
        if self.gmax == "collection":
            return self.gain_of(highest)
        if self.gmax == "topic":
            return ideal[0] if ideal else 0.0
        if isinstance(self.gmax, int):
            return self.gain_of(self.gmax)
        raise ValueError(f"gmax must be collection, topic or N. Got {self.gmax!r} instead.")


# --- views of a list (3.6) ----------------------------------------------------------------------


@dataclass(frozen=True)
class Seen:
    """One rank of a viewed list: what is there and how many ranks condensing promoted it."""

    document: str
    judged: bool
    repeated: bool = False  # seen above already, or the stand-in for an empty iteration (3.4)
    promoted: int = 0


def viewed(ranking: Ranking, judged: Iterable[str], primes: int) -> list[list[Seen]]:
    """3.6: the list, an iteration after another, condensed where the measure has a prime."""
    known = set(judged)
    iterations: list[list[Seen]] = []
    above: set[str] = set()
    removed = 0
    for iteration in as_iterations(ranking):
        kept: list[Seen] = []
        for document in iteration:
            if primes and document not in known:
                removed += 1
            else:
                promoted = removed if primes == 2 else 0
                kept.append(Seen(document, document in known, document in above, promoted))
            above.add(document)
        iterations.append(kept)
    return iterations


def as_iterations(ranking: Ranking) -> list[list[str]]:
    """A plain list is one iteration."""
    if ranking and isinstance(ranking[0], list):
        return [list(iteration) for iteration in ranking]
    return [[document for document in ranking if isinstance(document, str)]]


# --- what a measure sees at each rank -----------------------------------------------------------


@dataclass(frozen=True)
class Hit:
    """One rank: its gain g(r), and I(r), which discounting the gain (M'') leaves alone."""

    gain: float
    relevant: bool


NOTHING = Hit(0.0, False)


@dataclass(frozen=True)
class Look:
    """How one measure looks at one list: the topic, the view, the cutoff."""

    collection: Collection
    topic: str
    iterations: list[list[Seen]]
    cutoff: int | None
    view: str | None = None
    delta: float = 0.9

    @cached_property
    def top(self) -> list[Seen]:
        """Ranks 1..l; a list may end before."""
        everything = [seen for iteration in self.iterations for seen in iteration]
        return everything if self.cutoff is None else everything[: self.cutoff]

    @cached_property
    def intents(self) -> list[str]:
        return self.collection.intents(self.topic)

    @cached_property
    def probability(self) -> dict[str, float]:
        return self.collection.probability(self.topic)

    def ideal_of_intent(self, intent: str) -> list[float]:
        c, t = self.collection, self.topic
        gains = [c.gain_of(c.grade(t, intent, d)) for d in c.documents(t)]
        return sorted([g for g in gains if g > 0], reverse=True)

    def gmax_of_intent(self, intent: str) -> float:
        c = self.collection
        return c.gmax_of(c.highest_grade, self.ideal_of_intent(intent))

    def global_gain(self, document: str) -> float:
        """3.2: G(d) = sum_i Pr(i) g_i(d)."""
        total = 0.0
        for i in self.intents:
            gain = self.collection.gain_of(self.collection.grade(self.topic, i, document))
            total += self.probability[i] * gain
        return total

    @cached_property
    def global_ideal(self) -> list[float]:
        gains = [self.global_gain(d) for d in self.collection.documents(self.topic)]
        return sorted([g for g in gains if g > 0], reverse=True)

    @cached_property
    def global_gmax(self) -> float:
        return self.collection.gmax_of(self.collection.highest_grade, self.global_ideal)

    def hit(self, seen: Seen, gain: float, joker: float) -> Hit:
        """3.6: `gain` for a judged document; an unjudged one is a joker in the upper view."""
        if seen.repeated:
            return NOTHING
        if not seen.judged:
            return Hit(joker, True) if self.view == "upper" else NOTHING
        return Hit(gain * self.delta**seen.promoted, gain > 0)

    def hits_of_intent(self, intent: str) -> list[Hit]:
        """The list as intent i sees it. A joker has the highest grade, capped at gmax."""
        c = self.collection
        joker = min(c.gain_of(c.highest_grade), self.gmax_of_intent(intent))
        return [
            self.hit(seen, c.gain_of(c.grade(self.topic, intent, seen.document)), joker)
            for seen in self.top
        ]

    def walk_of_intent(self, intent: str) -> Walk:
        ideal, gmax = self.ideal_of_intent(intent), self.gmax_of_intent(intent)
        return Walk(self.hits_of_intent(intent), ideal, gmax, self.cutoff)

    def walk_of_global_gain(self) -> Walk:
        joker = min(self.collection.gain_of(self.collection.highest_grade), self.global_gmax)
        hits = [self.hit(seen, self.global_gain(seen.document), joker) for seen in self.top]
        return Walk(hits, self.global_ideal, self.global_gmax, self.cutoff)

    def walk_of_adhoc(self) -> Walk:
        c = self.collection
        gains = {d: c.gain_of(grade) for d, grade in c.adhoc_grades(self.topic).items()}
        ideal = sorted([g for g in gains.values() if g > 0], reverse=True)
        gmax = c.gmax_of(c.highest_adhoc_grade(), ideal)
        hits = [self.hit(seen, gains.get(seen.document, 0.0), gmax) for seen in self.top]
        return Walk(hits, ideal, gmax, self.cutoff)


@dataclass(frozen=True)
class Walk:
    """A walk down one list that has one gain at each rank, for the user models of 3.1."""

    hits: list[Hit]  # ranks 1..min(l, length)
    ideal: list[float]  # the gains above 0, best first, uncut
    gmax: float
    cutoff: int | None

    @property
    def R(self) -> int:
        return len(self.ideal)

    @property
    def ranks(self) -> range:
        """1..l; without a cutoff, to the list's end."""
        return range(1, (len(self.hits) if self.cutoff is None else self.cutoff) + 1)

    def g(self, r: int) -> float:
        return self.hits[r - 1].gain if r <= len(self.hits) else 0.0

    def g_ideal(self, r: int) -> float:
        return self.ideal[r - 1] if r <= len(self.ideal) else 0.0

    def I(self, r: int) -> int:
        return int(r <= len(self.hits) and self.hits[r - 1].relevant)

    def C(self, r: int) -> int:
        return sum(self.I(k) for k in range(1, r + 1))

    def BR(self, r: int, beta: float) -> float:
        """3.1: the blended ratio (C(r) + beta cg(r)) / (r + beta cg*(r))."""
        cg = sum(self.g(k) for k in range(1, r + 1))
        cg_ideal = sum(self.g_ideal(k) for k in range(1, r + 1))
        return (self.C(r) + beta * cg) / (r + beta * cg_ideal)

    def P_ERR(self, r: int) -> float:
        """3.1: s(r) prod_{k<r} (1 - s(k)), s(r) = g(r) / (gmax + 1)."""
        alive = 1.0
        for k in range(1, r):
            alive *= 1 - self.g(k) / (self.gmax + 1)
        return alive * self.g(r) / (self.gmax + 1)

    def most(self) -> int:
        """min(l, R), the most that a list could find; R without a cutoff."""
        return self.R if self.cutoff is None else min(self.cutoff, self.R)


# --- user models (3.1) --------------------------------------------------------------------------


def precision(walk: Walk, *, norm: str = "cutoff") -> float:
    if walk.cutoff is None:
        raise ValueError("P needs a cutoff")
    l = walk.cutoff
    check(norm, "cutoff", "length")
    return over(walk.C(l), min(l, len(walk.hits)) if norm == "length" else l)


def ndcg(walk: Walk, *, form: str = "ms") -> float:
    """Microsoft's form; `jk` is Jarvelin and Kekalainen's: no discount at ranks 1 and 2."""
    check(form, "ms", "jk")

    def discount(r: int) -> float:
        if form == "jk":
            return 1.0 if r <= 2 else math.log2(r)
        return math.log2(r + 1)

    best = range(1, (walk.R if walk.cutoff is None else walk.cutoff) + 1)
    dcg = sum(walk.g(r) / discount(r) for r in walk.ranks)
    return over(dcg, sum(walk.g_ideal(r) / discount(r) for r in best))


def q_measure(walk: Walk, *, beta: float = 1.0) -> float:
    found = sum(walk.BR(r, beta) for r in walk.ranks if walk.I(r))
    return over(found, walk.most())


def err(walk: Walk) -> float:
    return sum(walk.P_ERR(r) / r for r in walk.ranks)


def ebr(walk: Walk, *, beta: float = 1.0) -> float:
    return sum(walk.P_ERR(r) * walk.BR(r, beta) for r in walk.ranks)


def irbu(walk: Walk, *, p: float = 0.99) -> float:
    return sum(walk.P_ERR(r) * p**r for r in walk.ranks)


def rbp(walk: Walk, *, p: float = 0.99) -> float:
    return sum((1 - p) * p ** (r - 1) * over(walk.g(r), walk.gmax) for r in walk.ranks)


def average_precision(walk: Walk, *, norm: str = "cutoff") -> float:
    check(norm, "cutoff", "R")
    found = sum(walk.C(r) / r for r in walk.ranks if walk.I(r))
    return over(found, walk.R if norm == "R" else walk.most())


def reciprocal_rank(walk: Walk) -> float:
    for r in walk.ranks:
        if walk.I(r):
            return 1 / r
    return 0.0


def p_plus(walk: Walk, *, beta: float = 1.0) -> float:
    """3.2: sum_{r<=rp} I(r) BR(r) / C(rp), rp the first rank with the list's largest gain."""
    largest = max((walk.g(r) for r in walk.ranks), default=0.0)
    if largest == 0:
        return 0.0
    rp = next(r for r in walk.ranks if walk.g(r) == largest)
    return sum(walk.BR(r, beta) for r in range(1, rp + 1) if walk.I(r)) / walk.C(rp)


USER_MODELS: dict[str, Callable[..., float]] = {
    "P": precision,
    "nDCG": ndcg,
    "Q": q_measure,
    "ERR": err,
    "EBR": ebr,
    "RBP": rbp,
    "iRBU": irbu,
    "AP": average_precision,
    "RR": reciprocal_rank,
}


# --- from one intent to many (3.2) --------------------------------------------------------------


def adhoc(look: Look, model: str, **parameters: Any) -> float:
    """3.1 on the ad hoc judgments of 3.5."""
    return USER_MODELS[model](look.walk_of_adhoc(), **parameters)


def irec(look: Look) -> float:
    covered = 0
    for i in look.intents:
        covered += any(hit.relevant for hit in look.hits_of_intent(i))
    return covered / len(look.intents) if look.intents else 0.0


def intent_aware(look: Look, model: str, **parameters: Any) -> float:
    """M-IA = sum_i Pr(i) M_i."""
    measure = USER_MODELS[model]
    return sum(
        look.probability[i] * measure(look.walk_of_intent(i), **parameters) for i in look.intents
    )


def d_measure(look: Look, model: str, **parameters: Any) -> float:
    """D-M: M on the global gain."""
    return USER_MODELS[model](look.walk_of_global_gain(), **parameters)


def dsharp(look: Look, model: str, *, gamma: float = 0.5, **parameters: Any) -> float:
    """D#-M = gamma I-rec + (1 - gamma) D-M."""
    return gamma * irec(look) + (1 - gamma) * d_measure(look, model, **parameters)


def discount_of(name: str, r: int, beta: float) -> float:
    """3.3: the discounts of Golbus et al., table 4 (its RBP row is misprinted)."""
    if name == "ERR":
        return 1 / r
    if name == "DCG":
        return 1 / math.log2(r + 1)
    if name == "RBP":
        return float(beta ** (r - 1))
    raise ValueError(f"discount must be ERR, DCG or RBP. Got {name!r} instead.")


def d_cascade(look: Look, *, discount: str = "DCG", beta: float = 0.8) -> float:
    """Golbus's D: sum G(r) disc(r) / sum G*(r) disc(r)."""
    walk = look.walk_of_global_gain()
    best = range(1, (walk.R if walk.cutoff is None else walk.cutoff) + 1)
    gained = sum(walk.g(r) * discount_of(discount, r, beta) for r in walk.ranks)
    return over(gained, sum(walk.g_ideal(r) * discount_of(discount, r, beta) for r in best))


def dsharp_cascade(look: Look, *, lambda_: float = 0.5, **parameters: Any) -> float:
    return lambda_ * irec(look) + (1 - lambda_) * d_cascade(look, **parameters)


def rbu(look: Look, *, form: str = "sakai", **parameters: Any) -> float:
    """RBU in Sakai and Zeng's form (eq. 9) or, `amigo`, as its authors' program has it.

    The effort does not look at the judgments, so a topic with nothing relevant is below 0.
    """
    check(form, "sakai", "amigo")
    return rbu_amigo(look, **parameters) if form == "amigo" else rbu_sakai(look, **parameters)


def rbu_sakai(look: Look, *, p: float = 0.99, e: float = 0.01, effort: str = "length") -> float:
    check(effort, "length", "cutoff")
    last = len(look.top)
    if effort == "cutoff" and look.cutoff is not None:
        last = look.cutoff
    return intent_aware(look, "iRBU", p=p) - e * sum(p**r for r in range(1, last + 1))


def rbu_amigo(look: Look, *, p: float = 0.99, e: float = 0.01) -> float:
    """sum_r (1-p) p^(r-1) (sum_i Pr(i) s_i(r) prod_{k<r} (1 - s_i(k)) - e).

    s_i = (2^L - 1) / 2^Lmax whatever the gain policy, Lmax the topic's and intent's highest grade.
    """
    c, t = look.collection, look.topic
    alive = dict.fromkeys(look.intents, 1.0)
    total = 0.0
    for r, seen in enumerate(look.top, start=1):
        utility = 0.0
        for i in look.intents:
            Lmax = max((c.grade(t, i, d) for d in c.documents(t)), default=0)
            L = c.grade(t, i, seen.document)
            s = look.hit(seen, (2**L - 1) / 2**Lmax, (2**Lmax - 1) / 2**Lmax).gain
            utility += look.probability[i] * s * alive[i]
            alive[i] *= 1 - s
        total += (1 - p) * p ** (r - 1) * (utility - e)
    return total


def din_ndcg(look: Look) -> float:
    """DIN-nDCG: a navigational intent gains from the first document relevant to it alone."""
    hits = {i: look.hits_of_intent(i) for i in look.intents}
    found: set[str] = set()
    gained = 0.0
    for r in range(1, len(look.top) + 1):
        for i in look.intents:
            hit = hits[i][r - 1]
            if is_navigational(look, i) and i in found:
                continue
            gained += look.probability[i] * hit.gain / math.log2(r + 1)
            if hit.relevant:
                found.add(i)
    ideal = look.global_ideal if look.cutoff is None else look.global_ideal[: look.cutoff]
    return over(gained, sum(g / math.log2(r + 1) for r, g in enumerate(ideal, start=1)))


def is_navigational(look: Look, intent: str) -> bool:
    """An intent without a type is informational."""
    return look.collection.types.get(look.topic, {}).get(intent, "inf") == "nav"


def p_and_q(look: Look, *, beta: float = 1.0) -> float:
    """P+Q = sum_inf Pr(i) Q_i + sum_nav Pr(j) P-plus_j."""
    total = 0.0
    for i in look.intents:
        measure = p_plus if is_navigational(look, i) else q_measure
        total += look.probability[i] * measure(look.walk_of_intent(i), beta=beta)
    return total


def p_and_q_sharp(look: Look, *, gamma: float = 0.5, beta: float = 1.0) -> float:
    return gamma * irec(look) + (1 - gamma) * p_and_q(look, beta=beta)


# --- the cascade family (3.3) -------------------------------------------------------------------


def cascade_sum(
    hits: Mapping[str, list[Hit]],
    weights: Mapping[str, float],
    alpha: float,
    discount: Discount,
    cutoff: int | None,
) -> float:
    """Sum of disc(r) Gain(r), Gain(r) = sum_i w_i g_i(r) (1 - alpha)^c_i(r)."""
    total = 0.0
    for i, seen in hits.items():
        c_i = 0
        for r, hit in enumerate(seen if cutoff is None else seen[:cutoff], start=1):
            total += weights[i] * hit.gain * (1 - alpha) ** c_i * discount(r)
            c_i += hit.relevant
    return total


def greedy_ideal(
    look: Look, weights: Mapping[str, float], alpha: float, depth: int | None
) -> list[str]:
    """The document of highest Gain at each rank, ties by document id descending.

    Rounding decides some ties, so it follows ndeval: products run along the list, intents are
    summed in ascending order, and equal weights are left out. A document relevant to nothing
    never gains and is not looked at.
    """
    c, t = look.collection, look.topic
    if len({weights[i] for i in look.intents}) == 1:
        weights = dict.fromkeys(look.intents, 1.0)
    left = [d for d in reversed(c.documents(t)) if any(c.covers(t, i, d) for i in look.intents)]
    gains = {d: [weights[i] * c.gain_of(c.grade(t, i, d)) for i in look.intents] for d in left}
    covers = {d: [c.covers(t, i, d) for i in look.intents] for d in left}
    novelty = [1.0] * len(look.intents)
    ideal: list[str] = []
    while left and (depth is None or len(ideal) < depth):
        best, most = left[0], -1.0
        for d in left:  # ids descending: the first of equals stays
            gain = 0.0
            for n, g in zip(novelty, gains[d], strict=True):
                gain += g * n
            if gain > most:
                best, most = d, gain
        ideal.append(best)
        left.remove(best)
        for index, covered in enumerate(covers[best]):
            if covered:
                novelty[index] *= 1 - alpha
    return ideal


def greedy_sum(
    look: Look, weights: Mapping[str, float], alpha: float, discount: Discount, cutoff: int | None
) -> float:
    c, t = look.collection, look.topic
    ideal = greedy_ideal(look, weights, alpha, cutoff)
    gains = {i: [c.gain_of(c.grade(t, i, d)) for d in ideal] for i in look.intents}
    hits = {i: [Hit(g, g > 0) for g in gains[i]] for i in look.intents}
    return cascade_sum(hits, weights, alpha, discount, cutoff)


def hits_of_all(look: Look) -> dict[str, list[Hit]]:
    return {i: look.hits_of_intent(i) for i in look.intents}


def alpha_dcg(look: Look, *, alpha: float = 0.5) -> float:
    return cascade_sum(hits_of_all(look), look.probability, alpha, log_discount, look.cutoff)


def alpha_ndcg(look: Look, *, alpha: float = 0.5) -> float:
    best = greedy_sum(look, look.probability, alpha, log_discount, look.cutoff)
    return over(alpha_dcg(look, alpha=alpha), best)


def log_discount(r: int) -> float:
    return discount_of("DCG", r, 0.0)


def nrbp(look: Look, *, alpha: float = 0.5, beta: float = 0.5) -> float:
    """(1 - (1-alpha) beta) / M sum_r beta^(r-1) Gain(r), w = 1. Its own sum ends at a cutoff."""
    if not look.intents:
        return 0.0
    ones = dict.fromkeys(look.intents, 1.0)
    gained = cascade_sum(
        hits_of_all(look), ones, alpha, lambda r: discount_of("RBP", r, beta), look.cutoff
    )
    return (1 - (1 - alpha) * beta) / len(look.intents) * gained


def nnrbp(look: Look, *, alpha: float = 0.5, beta: float = 0.5) -> float:
    """NRBP over that of the full greedy ideal, also where the list is cut."""
    if not look.intents:
        return 0.0
    ones = dict.fromkeys(look.intents, 1.0)
    best = greedy_sum(look, ones, alpha, lambda r: discount_of("RBP", r, beta), None)
    best *= (1 - (1 - alpha) * beta) / len(look.intents)
    return over(nrbp(look, alpha=alpha, beta=beta), best)


def alphasharp(
    look: Look,
    discount: str,
    *,
    lambda_: float = 0.5,
    average: str = "micro",
    alpha: float = 0.3,
    beta: float = 0.8,
    floor: float = 1e-5,
) -> float:
    """alpha#-IA (Golbus et al., eq. 10): lambda I-rec + (1 - lambda) A."""

    def disc(r: int) -> float:
        return discount_of(discount, r, beta)

    if average == "cascade":
        gained = cascade_sum(hits_of_all(look), look.probability, alpha, disc, look.cutoff)
        A = over(gained, greedy_sum(look, look.probability, alpha, disc, look.cutoff))
    else:
        X = {i: cascade_of_intent(look, i, alpha, disc) for i in look.intents}
        A = subtopic_mean(look, X, average, floor)
    return lambda_ * irec(look) + (1 - lambda_) * A


def cascade_of_intent(look: Look, intent: str, alpha: float, discount: Discount) -> float:
    """X_i: the cascade measure of intent i alone over intent i's own ideal."""
    ideal = [Hit(g, True) for g in look.ideal_of_intent(intent)]
    alone = {intent: 1.0}
    best = cascade_sum({intent: ideal}, alone, alpha, discount, look.cutoff)
    hits = {intent: look.hits_of_intent(intent)}
    return over(cascade_sum(hits, alone, alpha, discount, look.cutoff), best)


def subtopic_mean(look: Look, X: Mapping[str, float], average: str, floor: float) -> float:
    if average == "micro":
        return sum(look.probability[i] * X[i] for i in X)
    if average == "geom":
        return geometric_mean(list(X.values()), floor)
    if average == "smr":
        smr = miss_rates(look.collection, look.topic)
        return sum(smr[i] * X[i] for i in X)
    raise ValueError(f"average must be cascade, micro, geom or smr. Got {average!r} instead.")


def geometric_mean(values: Sequence[float], floor: float) -> float:
    """exp(mean log max(x, floor)); without a floor one 0 makes it 0."""
    raised = [max(value, floor) for value in values]
    if not raised or min(raised) <= 0:
        return 0.0
    return math.exp(sum(math.log(value) for value in raised) / len(raised))


# --- Cube Test (3.4) ----------------------------------------------------------------------------


def cube_gains(
    look: Look, iterations: list[list[Seen]], gamma: float, height: float
) -> list[list[float]]:
    """What each document of each iteration adds to the cube.

    For an intent, (1/m) rating gamma^(n_i + 1), cut at the cap; n_i stops once it is reached.
    """
    c, t = look.collection, look.topic
    filled = dict.fromkeys(look.intents, 0.0)
    n = dict.fromkeys(look.intents, 0)
    gains: list[list[float]] = []
    for iteration in iterations:
        gains.append([])
        for seen in iteration:
            gain = 0.0
            for i in look.intents:
                hit = look.hit(seen, rating(c, t, i, seen.document), float(c.highest_grade))
                if hit.relevant and filled[i] < height:
                    added = min(hit.gain * gamma ** (n[i] + 1), height - filled[i])
                    filled[i] += added
                    n[i] += 1
                    gain += added / len(look.intents)
            gains[-1].append(gain)
    return gains


def rating(collection: Collection, topic: str, intent: str, document: str) -> float:
    covers = collection.covers(topic, intent, document)
    return float(collection.grade(topic, intent, document)) if covers else 0.0


def cube_iterations(look: Look, documents: int | None) -> list[list[Seen]]:
    """The iterations that count: the first k, or those that hold the first `documents` documents.

    An iteration of nothing stands as one with one non-relevant document.
    """
    iterations = look.iterations if look.cutoff is None else look.iterations[: look.cutoff]
    if sum(len(iteration) for iteration in iterations) == 0:
        return []
    filled = [iteration or [Seen("", True, repeated=True)] for iteration in iterations]
    if documents is None:
        return filled
    kept: list[list[Seen]] = []
    for iteration in filled:
        room = documents - sum(len(earlier) for earlier in kept)
        if room > 0:
            kept.append(iteration[:room])
    return kept


def cube_test(
    look: Look, *, gamma: float = 0.5, height: float = 5.0, documents: int | None = None
) -> float:
    """CT = total / height / iterations used."""
    used = cube_iterations(look, documents)
    if not used:
        return 0.0
    gains = cube_gains(look, used, gamma, height)
    return sum(sum(iteration) for iteration in gains) / height / len(used)


def average_cube_test(
    look: Look, *, gamma: float = 0.5, height: float = 5.0, documents: int | None = None
) -> float:
    """ACT: the mean of CT after each document, with the iterations so far."""
    total = 0.0
    ct_after_each: list[float] = []
    used = cube_iterations(look, documents)
    for number, iteration in enumerate(cube_gains(look, used, gamma, height), start=1):
        for gain in iteration:
            total += gain
            ct_after_each.append(total / height / number)
    return sum(ct_after_each) / len(ct_after_each) if ct_after_each else 0.0


def normalised_cube_test(
    look: Look,
    *,
    gamma: float = 0.5,
    height: float = 5.0,
    documents: int | None = None,
    bound: str = "jig",
) -> float:
    """nCT = CT / bound, bound = (1/m) sum_i min(height, sum_n rating_(n) gamma^n) / (height l).

    Without a cutoff l is the number of iterations used.
    """
    ct = cube_test(look, gamma=gamma, height=height, documents=documents)
    used = cube_iterations(look, documents)
    l = len(used) if look.cutoff is None else look.cutoff
    if not look.intents or l == 0:
        return 0.0
    check(bound, "jig", "tight")
    first = 1 if bound == "tight" else 0
    c, t = look.collection, look.topic
    total = 0.0
    for i in look.intents:
        ratings = sorted((rating(c, t, i, d) for d in c.relevant(t, i)), reverse=True)
        filled = sum(x * gamma**n for n, x in enumerate(ratings[: 5 * l + 1], start=first))
        total += min(height, filled) / len(look.intents)
    return over(ct, total / (height * l))


# --- difficulty, miss rates, topic means (section 5 and 3.3) ------------------------------------


def difficulty(
    collection: Collection, topic: str, exact: bool = False, xi_offset: int = 0
) -> tuple[float, int, float, float]:
    """(d_max, xi, d_mean, dd) of Golbus et al., eq. 1 and 2.

    `exact` solves the set cover and draws without replacement; `xi_offset` is added to the
    exponent only (the paper's printed numbers have 1).
    """
    intents = collection.intents(topic)
    relevant = {i: set(collection.relevant(topic, i)) for i in intents}
    R_T = len(set().union(*relevant.values()))
    if R_T == 0:
        return 0.0, 0, 0.0, 0.0
    covers = {d: {i for i in intents if d in relevant[i]} for d in collection.documents(topic)}
    coverable = {i for i in intents if relevant[i]}
    d_max = len(coverable) / len(intents)
    xi = smallest_cover(covers, coverable) if exact else greedy_cover(covers, coverable)
    draws = xi + xi_offset
    missed = 0.0
    for i in intents:
        R_i = len(relevant[i])
        if exact:
            drawn = min(draws, R_T)
            missed += math.comb(R_T - R_i, drawn) / math.comb(R_T, drawn)
        else:
            missed += (1 - R_i / R_T) ** draws
    d_mean = 1 - missed / len(intents)
    return d_max, xi, d_mean, over(2 * d_max * d_mean, d_max + d_mean)


def greedy_cover(covers: Mapping[str, set[str]], wanted: set[str]) -> int:
    """How many documents a greedy cover takes, ties by document id ascending."""
    missing, taken = set(wanted), 0
    while missing:
        best = max(len(covered & missing) for covered in covers.values())
        first = min(d for d, covered in covers.items() if len(covered & missing) == best)
        missing -= covers[first]
        taken += 1
    return taken


def smallest_cover(covers: Mapping[str, set[str]], wanted: set[str]) -> int:
    """The fewest documents that cover all, by trying every combination of coverage patterns."""
    patterns = {frozenset(covered) for covered in covers.values() if covered}
    for size in range(1, len(wanted) + 1):
        for chosen in itertools.combinations(patterns, size):
            if frozenset().union(*chosen) >= wanted:
                return size
    return 0


def miss_rates(
    collection: Collection, topic: str, k: int | None = None, raw: bool = False
) -> dict[str, float]:
    """Golbus et al., eq. 3: (1 - R_i/R_T)^k, normalised over intents; k is xi if not given."""
    intents = collection.intents(topic)
    relevant = {i: set(collection.relevant(topic, i)) for i in intents}
    R_T = len(set().union(*relevant.values()))
    rank = difficulty(collection, topic)[1] if k is None else k
    missed = {i: (1 - len(relevant[i]) / R_T) ** rank if R_T else 1.0 for i in intents}
    total = sum(missed.values())
    if raw:
        return missed
    if total == 0:
        return dict.fromkeys(intents, 1 / len(intents))
    return {i: value / total for i, value in missed.items()}


def mean(
    collection: Collection,
    values: Mapping[str, float],
    how: str = "avg",
    floor: float = 1e-5,
    xi_offset: int = 0,
) -> float:
    """The topic means of 3.3, of topic -> value: avg, geom, dd (weights 1 - dd)."""
    if not values:
        return 0.0
    if how == "geom":
        return geometric_mean(list(values.values()), floor)
    plain = sum(values.values()) / len(values)
    if how == "avg":
        return plain
    if how != "dd":
        raise ValueError(f"the mean must be avg, geom or dd. Got {how!r} instead.")
    weights = {t: 1 - difficulty(collection, t, xi_offset=xi_offset)[3] for t in values}
    total = sum(weights.values())
    if total == 0:
        return plain
    return sum(weights[t] * value for t, value in values.items()) / total


# --- by name ------------------------------------------------------------------------------------


def over(numerator: float, denominator: float) -> float:
    """A ratio that is 0 where there is nothing to find."""
    return numerator / denominator if denominator else 0.0


def check(given: str, *legal: str) -> None:
    if given not in legal:
        raise ValueError(f"must be one of {', '.join(legal)}. Got {given!r} instead.")


OTHER_MEASURES: dict[str, Callable[..., float]] = {
    "I-rec": irec,
    "RBU": rbu,
    "DIN-nDCG": din_ndcg,
    "P+Q": p_and_q,
    "P+Q#": p_and_q_sharp,
    "D-cascade": d_cascade,
    "D#-cascade": dsharp_cascade,
    "alpha-DCG": alpha_dcg,
    "alpha-nDCG": alpha_ndcg,
    "NRBP": nrbp,
    "nNRBP": nnrbp,
    "CT": cube_test,
    "ACT": average_cube_test,
    "nCT": normalised_cube_test,
}

ALPHASHARP = {"alpha#-nDCG-IA": "DCG", "alpha#-nERR-IA": "ERR", "alpha#-nRBP-IA": "RBP"}


def measure_named(name: str) -> Callable[..., float]:
    if name in OTHER_MEASURES:
        return OTHER_MEASURES[name]
    if name in ALPHASHARP:
        return lambda look, **parameters: alphasharp(look, ALPHASHARP[name], **parameters)
    for model in USER_MODELS:
        forms: dict[str, Callable[..., float]] = {
            model: adhoc,
            f"{model}-IA": intent_aware,
            f"D-{model}": d_measure,
            f"D#-{model}": dsharp,
        }
        if name in forms:
            return lambda look, f=forms[name], m=model, **parameters: f(look, m, **parameters)
    raise ValueError(f"no measure is called {name!r}")


def score(
    collection: Collection,
    topic: str,
    ranking: Ranking,
    name: str,
    cutoff: int | None = None,
    primes: int = 0,
    view: str | None = None,
    **parameters: Any,
) -> float:
    """One measure of one list.

    `ranking` holds document ids in rank order, or lists of them, one an iteration. `primes` is 0
    (raw), 1 (condensed) or 2 (discounted condensed); `view` is lower or upper (residual).
    `gain`, `gmax` and `adhoc` override the collection's; `delta` is that of M''.
    """
    own = {key: parameters.pop(key) for key in ("gain", "gmax", "adhoc") if key in parameters}
    collection = replace(collection, **own)
    if view is not None:
        check(view, "lower", "upper")
    judged: Iterable[str] = collection.documents(topic)
    if name in USER_MODELS and isinstance(collection.adhoc, dict):
        judged = collection.adhoc.get(topic, {})  # an own file judges its own documents
    iterations = viewed(ranking, judged, primes)
    delta = parameters.pop("delta", 0.9)
    look = Look(collection, topic, iterations, cutoff, view, delta)
    return measure_named(name)(look, **parameters)
