"""Small immutable values, made cheaply.

The parts that measures are composed of are many small classes. ``dataclasses`` compiles several
methods for each when it is defined, and half of the time in which the command starts would go
there. These share their methods.
"""

from __future__ import annotations

from typing import Any, ClassVar, NoReturn, dataclass_transform


def _of_class(kind: object) -> bool:
    """Is an annotation a ClassVar, as a text or, without the future import, as a value?"""
    return str(kind).removeprefix("typing.").startswith("ClassVar")


@dataclass_transform(frozen_default=True)
class Value:
    """A base for classes whose annotated names are the whole of them.

    Two are equal if their classes and fields are; they can be keys, and they cannot change.
    """

    #: the names of the fields, in order
    names: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        own = [name for name, kind in cls.__annotations__.items() if not _of_class(kind)]
        cls.names = tuple(dict.fromkeys([*cls.names, *own]))

    def __init__(self, *given: Any, **named: Any) -> None:
        if len(given) > len(self.names):
            raise TypeError(
                f"{type(self).__name__} takes {len(self.names)} values, and {len(given)} were given"
            )
        held = dict(zip(self.names, given, strict=False))
        for name, value in named.items():
            if name not in self.names or name in held:
                raise TypeError(f"{type(self).__name__} got {name!r} unexpectedly")
            held[name] = value
        for name in self.names:
            if name not in held:
                if not hasattr(type(self), name):
                    raise TypeError(f"{type(self).__name__} lacks {name!r}")
                held[name] = getattr(type(self), name)
        self.__dict__.update(held)

    @property
    def _key(self) -> tuple[Any, ...]:
        return tuple(self.__dict__[name] for name in self.names)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._key == other._key

    def __hash__(self) -> int:
        held: int | None = self.__dict__.get("_hash")
        if held is None:
            held = self.__dict__["_hash"] = hash((type(self), self._key))
        return held

    def __repr__(self) -> str:
        said: list[str] = []
        for name in self.names:
            value = self.__dict__[name]
            if not hasattr(type(self), name):
                said.append(repr(value))
            elif getattr(type(self), name) != value:
                said.append(f"{name}={value!r}")
        return f"{type(self).__name__}({', '.join(said)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._key

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} cannot change: {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} cannot change: {name}")
