# SPDX-License-Identifier: BSD-3-Clause
"""What is compared: a method's id or the name of an entry, with parameters where one method stands for several."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import InputError
from ..results import ExperimentData, same
from ..trace import Trace


@dataclass(frozen=True)
class Side:
    """`text` is what was given: `implicit_fem`, or `implicit_fem:law=stable_neo_hookean`."""

    text: str
    name: str
    parameters: dict[str, Any] = field(default_factory=dict)

    def matches(self, cell: Trace) -> bool:
        """Whether the cell is of this method or entry, with these parameters."""
        return self.name in (cell.method_id, cell.method_name) and all(
            same(cell.value(f"method.parameters.{k}"), v) for k, v in self.parameters.items()
        )

    def cells(self, data: ExperimentData) -> list[Trace]:
        """The cells of an experiment, however they ended, but those of an entry that serves as the reference."""
        return [c for c in data.cells if self.matches(c) and (c.method_name != "reference" or self.name == "reference")]

    def says_of(self, cell: Trace) -> tuple[int, bool]:
        """How much it says of a cell that it matches: the number of parameters, and whether it names the entry and
        not just the method."""
        return len(self.parameters), self.name == cell.method_name != cell.method_id


def parse(text: str) -> Side:
    """`NAME` or `NAME:parameter=value,…`; a value is JSON, or else text. InputError."""
    name, colon, rest = text.partition(":")
    parameters: dict[str, Any] = {}
    for assignment in rest.split(",") if colon else []:
        key, equals, value = assignment.partition("=")
        if not name or not key or not equals:
            raise InputError(f"compare {text}: expected METHOD, or METHOD:parameter=value,parameter=value")
        try:
            parameters[key] = json.loads(value)
        except ValueError:
            parameters[key] = value
    return Side(text, name, parameters)


def parse_all(texts: Sequence[str]) -> list[Side]:
    """Two or more sides; the first is the baseline. InputError."""
    sides = [parse(t) for t in texts]
    if len(sides) < 2:
        raise InputError(f"compare {' '.join(texts)}: expected two methods or more, the first being the baseline")
    for i, side in enumerate(sides):
        if side.text in [s.text for s in sides[:i]]:
            raise InputError(f"compare: {side.text} is named twice, expected different methods")
    return sides


def once_each(sides: Sequence[Side], cells: Sequence[Sequence[Trace]]) -> list[list[Trace]]:
    """The cells of every side without those of which another side says more: of METHOD and METHOD:parameter=value the
    first has the others. Of two that say as much the first has them."""
    owner: dict[str, int] = {}
    for index, of in enumerate(cells):
        for cell in of:
            other = owner.setdefault(cell.cell_id, index)
            if sides[index].says_of(cell) > sides[other].says_of(cell):
                owner[cell.cell_id] = index
    return [[c for c in of if owner[c.cell_id] == index] for index, of in enumerate(cells)]
