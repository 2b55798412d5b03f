# SPDX-License-Identifier: BSD-3-Clause
"""Quantities: functions of one run (or of a run and its partner) with a unit and one English phrase."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from ..arrays import Array
from ..errors import InputError
from ..trace import Trace

T = TypeVar("T")
Function = Callable[..., Any]  # traces → a number, an array over members or steps, or a mapping note label → number


def first_sentence(function: Function, what: str) -> str:
    """The first paragraph of a docstring as a phrase within a sentence."""
    text = " ".join((getattr(function, "__doc__", None) or "").strip().split("\n\n")[0].split()).rstrip(".")
    if not text or getattr(function, "__name__", "") == "<lambda>":
        raise InputError(f"{what}: expected a docstring or a phrase that says what it is")
    return text[0].lower() + text[1:] if re.match(r"[A-Z][a-z ]", text) else text


@dataclass(frozen=True)
class Quantity:
    """A function with unit and phrase; called as the function itself."""

    function: Function
    phrase: str
    unit: str = "1"

    def __call__(self, *traces: Any) -> Any:
        return self.function(*traces)

    def _then(self, change: Function, phrase: str) -> "Quantity":
        return Quantity(lambda *traces: change(self.function(*traces)), phrase, self.unit)

    def mean(self, says: str = "") -> "Quantity":
        """Mean over members or other entries; for booleans, the share."""
        return self._then(lambda values: float(np.mean(values)), says or f"mean {self.phrase}")

    def median(self, says: str = "") -> "Quantity":
        """Over members."""
        return self._then(lambda values: float(np.median(values)), says or f"median {self.phrase}")

    def largest(self, says: str = "") -> "Quantity":
        """Maximum over members, if a minimum over runs follows."""
        return self._then(lambda values: float(np.max(values)), says or f"largest {self.phrase}")

    def least(self, says: str = "") -> "Quantity":
        """Minimum over members, if a maximum over runs follows."""
        return self._then(lambda values: float(np.min(values)), says or f"smallest {self.phrase}")

    def total(self, says: str = "") -> "Quantity":
        """Over members."""
        return self._then(lambda values: float(np.sum(values)), says or f"total {self.phrase}")

    def off(self, target: float, says: str = "") -> "Quantity":
        """|value − target|."""
        return self._then(
            lambda value: np.abs(np.asarray(value) - target), says or f"{self.phrase}, distance from {target:g}"
        )


def quantity(phrase: str = "", *, unit: str = "1") -> Callable[[Function], Quantity]:
    """Names a function; `phrase` defaults to its docstring's first paragraph."""
    return lambda function: Quantity(function, phrase or first_sentence(function, "quantity"), unit)


def as_quantity(function: Function) -> Quantity:
    """A function with a docstring becomes a quantity of unit 1."""
    return function if isinstance(function, Quantity) else quantity()(function)


def parameter(path: str, of: Callable[[Any], T], says: str) -> Callable[[Trace], T]:
    """A scene parameter by name, or the spec's value at a dotted path, as a function of a run."""

    def read(trace: Trace) -> T:
        return of(trace.value(path if "." in path else f"scene.parameters.{path}"))

    read.__name__, read.__doc__ = path.rsplit(".", 1)[-1], says
    return read


def ratio(function: Function, says: str = "") -> Quantity:
    """Ratio of a run's quantity to that of its partner, member by member where it has members."""
    of = as_quantity(function)
    return Quantity(lambda run, partner: of(run) / of(partner), says or f"{of.phrase}, ratio")


def difference(function: Function, says: str = "") -> Quantity:
    """Absolute difference between a run's quantity and that of its partner."""
    of = as_quantity(function)
    return Quantity(lambda run, partner: np.abs(of(run) - of(partner)), says or f"{of.phrase}, difference", of.unit)


def order(function: Function, by: Function, says: str = "") -> Quantity:
    """Slope of ln(quantity) vs. ln(by) between neighbouring runs."""
    of, step = as_quantity(function), as_quantity(by)

    def slope(run: Any, following: Any) -> float:
        return float(np.log(of(following) / of(run)) / np.log(step(following) / step(run)))

    return Quantity(slope, says or f"order of {of.phrase} in {step.phrase}")


def numbers(value: Any, name: Any, reduce: Callable[[Array], Any]) -> Mapping[Any, float]:
    """A quantity's value by note label: an array over members is reduced, a mapping
    is kept."""
    if isinstance(value, Mapping):
        return {key: float(number) for key, number in value.items()}
    values = np.asarray(value)
    if values.ndim == 0:
        return {name: float(value)}
    return {name: float(reduce(values))} if values.size else {}
