"""The three kinds of study: what is asked of an item, and which answers there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from polyseme.errors import PolysemeError
from polyseme.judging.protocol import Answer, Answers, Refused

TaskName = Literal["preferences", "grades", "votes"]
TASKS: tuple[str, ...] = get_args(TaskName)

LEFT, BOTH, RIGHT = "left", "both", "right"
#: what an exported answer has
ANSWER_COLUMNS = (
    *("judge", "item", "question", "answer", "side"),
    *("order", "seconds", "revision", "at"),
)
#: the two questions of Sakai and Zeng (2019), figure 1
QUESTIONS = ("relevance", "diversity")


@dataclass(frozen=True)
class Task:
    """A kind of study."""

    name: TaskName
    #: answers that a question can have, in the order in which pages offer them
    choices: tuple[Answer, ...]
    #: how many judges an item gets where it is not said
    judges: int
    #: what is asked of every item; empty where it is the topic's intents
    questions: tuple[str, ...]
    #: what can be exported besides the answers and the archive
    products: tuple[str, ...]

    @property
    def exports(self) -> tuple[str, ...]:
        """Everything that can be exported."""
        return ("answers", *self.products, "archive")

    def check(self, answers: Answers, questions: Sequence[str]) -> None:
        """Refuse answers to what was not asked, and answers that there are not."""
        for question, answer in answers.items():
            if question not in questions:
                raise Refused("malformed", f"there is no question {question[:100]!r}")
            # True == 1, but is no grade
            if not any(answer == each and type(answer) is type(each) for each in self.choices):
                raise Refused("malformed", f"an answer must be one of {self.choices}")
        if self.name == "votes" and len(answers) == len(questions) and not any(answers.values()):
            raise Refused("malformed", "vote for one intent at least")


_TASKS = {
    "preferences": Task("preferences", (LEFT, BOTH, RIGHT), 15, QUESTIONS, QUESTIONS),
    "grades": Task("grades", (2, 1, 0), 2, (), ("judgments",)),
    "votes": Task("votes", (1, 0), 10, (), ("probabilities",)),
}


def of(name: str) -> Task:
    """The task of that name."""
    if name not in _TASKS:
        raise PolysemeError(f"there is no task {name!r}: the tasks are {', '.join(TASKS)}")
    return _TASKS[name]
