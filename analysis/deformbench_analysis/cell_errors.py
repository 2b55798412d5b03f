# SPDX-License-Identifier: BSD-3-Clause
"""Errors of single cells, which comparisons of methods show: functions of one trace, registered by experiment.

    @cell_error(CANTILEVER, "at the end", "deflection of the tip, against Timoshenko's beam")
    def tip_error(trace: Trace) -> float:
        return abs(tip_factor(trace) - 1)

They stand in the modules of measurements, also in those of papers outside the tree. Experiments without any are
compared with the closed forms in their traces, and with the cell named `reference` of their declaration
(comparison/accuracy.py)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from .trace import Trace

AT_THE_END = "at the end"
WHOLE_CURVE = "whole curve"
_Function = TypeVar("_Function", bound=Callable[[Trace], float])


@dataclass(frozen=True)
class CellError:
    """`when` is AT_THE_END or WHOLE_CURVE; `what` names quantity and reference. Values are relative."""

    when: str
    what: str
    function: Callable[[Trace], float]


_registry: dict[str, dict[str, CellError]] = {}


def cell_error(experiment: str, when: str, what: str) -> Callable[[_Function], _Function]:
    """Registers a function as an error of the experiment's cells."""
    if when not in (AT_THE_END, WHOLE_CURVE):
        raise ValueError(f"cell_error of {experiment}: got {when!r}, expected {AT_THE_END!r} or {WHOLE_CURVE!r}")

    def register(function: _Function) -> _Function:
        _registry.setdefault(experiment, {})[what] = CellError(when, what, function)
        return function

    return register


def errors_of(experiment: str) -> list[CellError]:
    """Those registered for the experiment; measurement.load_all() imports the modules that do so."""
    return list(_registry.get(experiment, {}).values())
