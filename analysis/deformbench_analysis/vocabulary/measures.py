# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of one experiment, each a quantity, rows and a reduction, registered as `<short name>.<name>`."""

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import extremes
from ..errors import MissingData
from ..measurement import Function as OfData, Measured, Measurement, measurement, register
from ..results import ExperimentData
from .quantities import Function, Quantity, as_quantity, numbers
from .rows import EVERY_RUN, Rows


@dataclass(frozen=True)
class Reduction:
    """How the values of one run's members, then those of all runs, are reduced to one,
    and the word for it."""

    word: str  # between quantity and rows
    of_members: Callable[[Any], Any]
    of_runs: Callable[[Mapping[Any, float]], Measured]


def _total(found: Mapping[Any, float]) -> Measured:
    return Measured(float(sum(found.values())))


def _mean(found: Mapping[Any, float]) -> Measured:
    if not found:
        raise MissingData("nothing to compare")
    return Measured(float(np.mean(list(found.values()))))


def _distinct(found: Mapping[Any, float]) -> Measured:
    return Measured(float(len(set(found.values()))))


def _only(found: Mapping[Any, float]) -> Measured:
    return Measured(extremes.largest(found).value)


REDUCTIONS = {
    "largest": Reduction("maximum over", np.max, extremes.largest),
    "least": Reduction("minimum over", np.min, extremes.least),
    "total": Reduction("sum over", np.sum, _total),
    "mean": Reduction("mean over", np.mean, _mean),
    "distinct": Reduction("number of different ones among", np.max, _distinct),
    "count": Reduction("number of", np.max, _total),
    "only": Reduction("", np.max, _only),
}


@dataclass(eq=False)
class _Key:
    """Identity key with a note's label: equal labels stay distinct."""

    of: Any

    @property
    def label(self) -> str:
        """A trace's label; for others, str(of)."""
        return str(getattr(self.of, "label", self.of))


@dataclass(frozen=True)
class Measure:
    """A measurement composed of its fields. Called with the experiment's data, like any other."""

    name: str
    reduction: str
    quantity: Quantity
    rows: Rows
    line: int
    __module__: str  # with `line`, where it was made, for messages on broken measurements

    def __call__(self, data: ExperimentData) -> Measured:
        reduction = REDUCTIONS[self.reduction]
        if self.reduction == "only":
            traces = self.rows.one(data)
            return reduction.of_runs(numbers(self.quantity(*traces), traces[0], reduction.of_members))
        found: dict[_Key, float] = {}
        for traces, name in self.rows.units(data):
            for named, number in numbers(self.quantity(*traces), name, reduction.of_members).items():
                found[_Key(named)] = number
        return reduction.of_runs(found)

    @property
    def definition(self) -> str:
        """Quantity, reduction and rows in one noun phrase."""
        word, phrase = REDUCTIONS[self.reduction].word, self.quantity.phrase
        if self.reduction == "count":
            text = f"number of runs: {self.rows}"
        elif self.reduction == "only" and self.rows == EVERY_RUN:
            text = phrase
        else:
            text = f"{phrase}: {word} {self.rows}" if word else f"{phrase}: {self.rows}"
        is_word = re.match("[a-z][a-z ]", text) is not None  # ω stays ω
        return f"{text[0].upper() if is_word else text[0]}{text[1:]}."


_ONE = Quantity(lambda *traces: 1.0, "runs")


class Measures:
    """The measurements of one experiment. `M("name")` decorates a function of its data beyond the vocabulary."""

    def __init__(self, experiment: str) -> None:
        self.experiment = experiment
        self.short = experiment.rsplit("/", 1)[-1]
        self._module = str(sys._getframe(1).f_globals.get("__name__", ""))

    def __call__(self, name: str, *, unit: str = "1", timing: bool = False, of: str = "") -> Callable[[Any], Any]:
        """As measurement, under the experiment's name."""
        return measurement(f"{self.short}.{name}", unit=unit, experiment=self.experiment, timing=timing, of=of)

    def _make(
        self, reduction: str, name: str, of: Function, runs: Rows, definition: str = "", timing: bool = False
    ) -> Measure:
        line = sys._getframe(2).f_lineno  # of the caller of largest, least …
        made = Measure(f"{self.short}.{name}", reduction, as_quantity(of), runs, line, self._module)
        unit = "1" if reduction in ("count", "distinct") else made.quantity.unit
        function: OfData = made
        register(Measurement(made.name, unit, self.experiment, definition or made.definition, timing, function))
        return made

    def largest(self, name: str, of: Function, runs: Rows = EVERY_RUN, **more: Any) -> Measure:
        """Largest over members and runs; the note names the run. `definition`
        replaces the composed one; `timing`: as in measurement."""
        return self._make("largest", name, of, runs, **more)

    def least(self, name: str, of: Function, runs: Rows = EVERY_RUN, **more: Any) -> Measure:
        """Least over members and runs; the note names the run."""
        return self._make("least", name, of, runs, **more)

    def only(self, name: str, of: Function, runs: Rows = EVERY_RUN, **more: Any) -> Measure:
        """Value of the only run (or pair, or group): the largest over its members."""
        return self._make("only", name, of, runs, **more)

    def total(self, name: str, of: Function, runs: Rows = EVERY_RUN, **more: Any) -> Measure:
        """Sum over members and runs."""
        return self._make("total", name, of, runs, **more)

    def mean(self, name: str, of: Function, runs: Rows = EVERY_RUN, **more: Any) -> Measure:
        """Mean over runs of the mean over members."""
        return self._make("mean", name, of, runs, **more)

    def distinct(self, name: str, of: Function, runs: Rows = EVERY_RUN, **more: Any) -> Measure:
        """Number of distinct values."""
        return self._make("distinct", name, of, runs, **more)

    def count(self, name: str, runs: Rows = EVERY_RUN, **more: Any) -> Measure:
        """Number of runs (or pairs, or groups)."""
        return self._make("count", name, _ONE, runs, **more)
