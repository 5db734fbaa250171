"""All short rankings of documents that are relevant to one intent, to several or to none.

Rankings are numbered as the nodes of a tree that is filled level by level: 0 is the empty one, and
appending a document of kind k to ranking n gives ranking n * kinds + 1 + k. So what a ranking
consists of, and which rankings are related to it, is arithmetic on its number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
import numpy.typing as npt

from polyseme.collection.judgments import Judged, JudgmentBuilder
from polyseme.collection.lists import Lists, joined, joker
from polyseme.errors import PolysemeError, did_you_mean
from polyseme.groups import Floats, Ints
from polyseme.measures.gains import Gain

#: x is not among them: it stands for a document that is relevant to nothing
LETTERS = "abcdefghijklmnopqrstuvw"
NON_RELEVANT = "x"
EMPTY = "∅"
TOPIC = "1"
#: more rankings than this are not for the memory of one machine
MOST = 30_000_000
#: what the document at the end of a short list is called, where it is worth nothing
TERMINAL = "zz"


@dataclass(frozen=True)
class Kind:
    """Documents that are alike: relevant to the same intents with the same grades."""

    name: str
    #: one for each intent, 0 where not relevant
    grades: tuple[int, ...]

    @property
    def intents(self) -> int:
        """The intents as the bits of a number."""
        return sum(1 << place for place, grade in enumerate(self.grades) if grade)


@dataclass(frozen=True)
class Rankings:
    """Every ranking of up to ``length`` documents; the n-th of a kind is one document.

    The first ``relevant`` documents of a kind are judged relevant, later ones are not.
    """

    intents: int = 2
    length: int = 10
    #: 10, or as many as the longest ranking holds
    relevant: int | None = None
    probabilities: tuple[float, ...] | None = None
    #: documents have grades from 1 to this
    grades: int = 1
    #: may a document be relevant to several intents?
    multi: bool = False
    #: the grade of a document that tells the end of a list shorter than ``length``
    terminal: int | None = None

    def __post_init__(self) -> None:
        for name, lowest in (("intents", 1), ("length", 1), ("grades", 1), ("relevant", 1)):
            given = getattr(self, name)
            if given is not None and given < lowest:
                raise PolysemeError(f"{name} must be {lowest} or more. Got {given} instead.")
        if self.intents > len(LETTERS):
            raise PolysemeError(
                f"intents must be at most {len(LETTERS)}. Got {self.intents} instead."
            )
        if self.terminal is not None and not 0 <= self.terminal <= self.grades:
            raise PolysemeError(
                f"terminal must be a grade from 0 to {self.grades}. Got {self.terminal} instead."
            )
        self._check_size()
        if self.probabilities is not None:
            object.__setattr__(self, "probabilities", _normalised(self.probabilities, self.intents))

    def _check_size(self) -> None:
        each = (self.grades + 1) ** self.intents if self.multi else self.intents * self.grades + 1
        total = 0
        for length in range(self.length + 1):
            total += each**length
            if total > MOST:
                raise PolysemeError(
                    f"there are more than {MOST:,} rankings of up to {self.length} documents of "
                    f"{each:,} kinds\n  to mend it: say a smaller length, or fewer intents"
                )

    # ---- kinds of documents -----------------------------------------------------------------

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of documents, the non-relevant one last."""
        names = LETTERS[: self.intents]
        steps = range(1, self.grades + 1)
        if self.multi:
            chosen = [g for g in product((0, *steps), repeat=self.intents) if any(g)]
        else:
            chosen = [
                tuple(grade * (place == intent) for place in range(self.intents))
                for intent in range(self.intents)
                for grade in steps
            ]
        # a before b before ab, and low grades before high ones
        chosen.sort(key=lambda g: (sum(map(bool, g)), [i for i, each in enumerate(g) if each], g))
        relevant = tuple(
            Kind("".join(self._said(names[i], grade) for i, grade in enumerate(g) if grade), g)
            for g in chosen
        )
        return (*relevant, Kind(NON_RELEVANT, (0,) * self.intents))

    def _said(self, intent: str, grade: int) -> str:
        return intent if self.grades == 1 else f"{intent}{grade}"

    @property
    def base(self) -> int:
        """How many kinds there are: so many rankings come from one by appending a document."""
        return len(self.kinds)

    @property
    def x(self) -> int:
        """The non-relevant kind."""
        return self.base - 1

    @cached_property
    def weights(self) -> Floats:
        """Pr(i) of each intent."""
        given = self.probabilities or (1.0 / self.intents,) * self.intents
        return np.array(given, dtype=np.float64)

    def worth(self, gain: Gain) -> Floats:
        """The global gain of each kind: the sum over intents of Pr(i) g(i)."""
        grades = np.array([kind.grades for kind in self.kinds], dtype=np.int64)
        worth: Floats = gain(grades.reshape(-1)).reshape(grades.shape) @ self.weights
        return worth

    # ---- numbers ----------------------------------------------------------------------------

    @cached_property
    def first(self) -> list[int]:
        """The first ranking of each length, and at the end how many rankings there are."""
        starts = [0]
        for length in range(self.length + 1):
            starts.append(starts[-1] + self.base**length)
        return starts

    def __len__(self) -> int:
        return self.first[-1]

    def length_of(self, number: int) -> int:
        """How many documents a ranking holds."""
        return next(n for n in range(self.length + 1) if number < self.first[n + 1])

    def kinds_of(self, number: int) -> tuple[int, ...]:
        """The kinds of a ranking's documents, from the first rank to the last."""
        found: list[int] = []
        while number:
            number, kind = divmod(number - 1, self.base)
            found.append(kind)
        return tuple(reversed(found))

    def number_of(self, kinds: Sequence[int]) -> int:
        """The ranking of documents of these kinds."""
        number = 0
        for kind in kinds:
            number = number * self.base + 1 + kind
        return number

    def name(self, number: int) -> str:
        """A ranking as the papers write it: ``abx``, or ``a2 b1 x`` where kinds need more room."""
        names = [self.kinds[kind].name for kind in self.kinds_of(number)]
        return self._separator.join(names) if names else EMPTY

    @property
    def _separator(self) -> str:
        return "" if all(len(kind.name) == 1 for kind in self.kinds) else " "

    def number(self, name: str) -> int:
        """The ranking that is written so; nothing, or the sign ∅, is the empty one."""
        places = {kind.name: place for place, kind in enumerate(self.kinds)}
        said = name.replace(EMPTY, "").strip()
        pieces = list(said) if not self._separator else said.split()
        for piece in pieces:
            if piece not in places:
                hint = did_you_mean(piece, places)
                raise PolysemeError(
                    f"{name!r} is no ranking: there is no kind {piece!r}"
                    + (f"; {hint}" if hint else "")
                    + f"\n  the kinds of documents: {', '.join(places)}"
                )
        if len(pieces) > self.length:
            raise PolysemeError(
                f"the ranking {name!r} holds {len(pieces)} documents, and rankings of up to "
                f"{self.length} are looked at"
            )
        return self.number_of([places[piece] for piece in pieces])

    # ---- intents seen -----------------------------------------------------------------------

    @cached_property
    def seen(self) -> npt.NDArray[np.uint32]:
        """The intents that each ranking covers, as the bits of a number."""
        bits = np.array([kind.intents for kind in self.kinds], dtype=np.uint32)
        found = np.zeros(len(self), dtype=np.uint32)
        for length in range(1, self.length + 1):
            before = found[self.first[length - 1] : self.first[length]]
            here = found[self.first[length] : self.first[length + 1]]
            np.bitwise_or(before[:, None], bits, out=here.reshape(-1, self.base))
        return found

    # ---- judgments and lists ----------------------------------------------------------------

    @property
    def relevant_of_kind(self) -> int:
        """R: how many documents of each kind are judged relevant."""
        return max(10, self.length) if self.relevant is None else self.relevant

    def document(self, kind: int, place: int) -> str:
        """The identifier of the document of a kind that comes at a place, from 1."""
        digits = len(str(max(self.relevant_of_kind, self.length)))
        return f"{self.kinds[kind].name}_{place:0{digits}}"

    @cached_property
    def judged(self) -> Judged:
        """One topic: every document that can stand in a ranking is judged."""
        builder = JudgmentBuilder()
        intents = [str(place + 1) for place in range(self.intents)]
        for number, kind in enumerate(self.kinds):
            known = self.relevant_of_kind if any(kind.grades) else 0
            for place in range(1, max(known, self.length) + 1):
                document = self.document(number, place)
                for intent, grade in zip(intents, kind.grades, strict=True):
                    if grade and place <= known:
                        builder.add(TOPIC, intent, document, grade)
                if place > known:
                    builder.add(TOPIC, intents[0], document, 0)
        if self.terminal == 0:
            builder.add(TOPIC, intents[0], TERMINAL, 0)
        judged = builder.finish()
        if self.probabilities is None:
            return judged
        return judged.with_intents({TOPIC: dict(zip(intents, self.probabilities, strict=True))})

    @cached_property
    def _rows(self) -> Ints:
        """(kind, place from 0) -> row of the judgments."""
        row = {document: place for place, document in enumerate(self.judged.documents)}
        return np.array(
            [
                [row[self.document(kind, place + 1)] for place in range(self.length)]
                for kind in range(self.base)
            ],
            dtype=np.int64,
        )

    @cached_property
    def _terminal_row(self) -> int | None:
        if self.terminal is None:
            return None
        return joker(self.terminal) if self.terminal else self.judged.documents.index(TERMINAL)

    def chunks(self, size: int = 32_768) -> Iterator[Lists]:
        """All rankings as lists, in order; ``run`` tells each one's number."""
        for begin, end in self.spans(size):
            yield self.lists(begin, end)

    def spans(self, size: int = 32_768) -> list[tuple[int, int]]:
        """Pieces of all rankings: the first one's number, and that after the last one's."""
        return [(low, min(low + size, len(self))) for low in range(0, len(self), size)]

    def lists(self, begin: int, end: int) -> Lists:
        """The rankings from one number to before another."""
        found: list[Lists] = []
        for length in range(self.length + 1):
            low, high = max(begin, self.first[length]), min(end, self.first[length + 1])
            if low < high:
                found.append(self._alike(low, high, length))
        return joined(found)

    def _alike(self, begin: int, end: int, length: int) -> Lists:
        """Some rankings of one length."""
        row = self._rows_of(np.arange(begin, end), length)
        if self._terminal_row is not None and length < self.length:
            row = np.column_stack([row, np.full(len(row), self._terminal_row)])
        count, documents = row.shape
        return Lists(
            run=np.arange(begin, end),
            topic=np.zeros(count, dtype=np.int64),
            length=np.full(count, documents),
            hit_start=np.arange(count + 1) * documents,
            rank=np.tile(np.arange(1, documents + 1), count),
            row=row.reshape(-1),
        )

    def _rows_of(self, number: Ints, length: int) -> Ints:
        """The documents of rankings of one length: the last of each, of what it extends, ..."""
        row = np.empty((len(number), length), dtype=np.int64)
        for rank in reversed(range(length)):
            row[:, rank] = self._last[number]
            number = (number - 1) // self.base
        return row

    @cached_property
    def _last(self) -> Ints:
        """The last document of each ranking: as many of its kind came before as were met so far."""
        last = np.full(len(self), -1)
        every = np.arange(self.base)
        met = np.zeros((1, self.base), dtype=np.int64)
        for length in range(1, self.length + 1):
            begin, end = self.first[length : length + 2]
            last[begin:end] = self._rows[every, met].reshape(-1)
            if length < self.length:
                met = np.repeat(met, self.base, axis=0)
                met.reshape(-1, self.base, self.base)[:, every, every] += 1
        return last


def _normalised(given: Sequence[float], intents: int) -> tuple[float, ...]:
    held = tuple(float(each) for each in given)
    if len(held) != intents:
        raise PolysemeError(
            f"probabilities must be {intents}, one for each intent. Got {len(held)} instead."
        )
    total = sum(held)
    if not all(0 < each <= 1 for each in held) or abs(total - 1) > 0.01 + 1e-12:
        raise PolysemeError(
            "probabilities must be above 0 and add up to 1. "
            f"Got {', '.join(f'{each:g}' for each in held)} instead."
        )
    return tuple(each / total for each in held)
