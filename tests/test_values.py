from __future__ import annotations

import pickle
from typing import Any, ClassVar

import pytest

from polyseme.values import Value


class Point(Value):
    x: float
    y: float = 1.0
    kind: ClassVar[str] = "plain"


class Deep(Point):
    z: int = 3


def test_a_value_takes_its_fields_in_order_or_by_name() -> None:
    assert Point(2.0) == Point(x=2.0, y=1.0) == Point(2.0, 1.0)
    assert Deep(1.0, z=4).names == ("x", "y", "z")
    assert repr(Deep(1.0)) == "Deep(1.0)"
    assert repr(Deep(1.0, 1.5, z=4)) == "Deep(1.0, y=1.5, z=4)"


def test_values_are_equal_only_within_a_class_and_serve_as_keys() -> None:
    assert Point(1.0) != Deep(1.0)
    assert {Point(1.0): "a"}[Point(1.0)] == "a"
    assert hash(Point(1.0)) == hash(Point(1.0, 1.0))
    assert Point(1.0) != (1.0, 1.0)


def test_a_value_survives_pickling_and_cannot_change() -> None:
    point = pickle.loads(pickle.dumps(Deep(1.0, 2.0)))
    assert point == Deep(1.0, 2.0)
    with pytest.raises(AttributeError, match="cannot change: x"):
        point.x = 3.0  # type: ignore[misc]
    with pytest.raises(AttributeError, match="cannot change"):
        del point.x


def test_wrong_fields_are_type_errors() -> None:
    with pytest.raises(TypeError, match="lacks 'x'"):
        Point()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="takes 2 values, and 3 were given"):
        Point(1.0, 2.0, 3.0)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="got 'z' unexpectedly"):
        Point(1.0, z=2)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="got 'x' unexpectedly"):
        Point(1.0, x=2.0)  # type: ignore[misc]


def test_what_belongs_to_the_class_is_no_field_without_the_future_import_either() -> None:
    names: dict[str, Any] = {"Value": Value}
    source = (
        "import typing\n"
        "from typing import ClassVar\n"
        "class Mine(Value):\n"
        "    kind: ClassVar[str] = 'hits'\n"
        "    size: typing.ClassVar = 1\n"
        "    p: float = 0.5\n"
    )
    exec(compile(source, "mine.py", "exec", dont_inherit=True), names)
    assert names["Mine"].names == ("p",)
