# SPDX-License-Identifier: BSD-3-Clause
"""Named measurements: functions of an experiment's traces, with unit and definition, which claims refer to.

    @measurement("rotation_artefact.linear_volume_error", unit="1", experiment="<paper>/rotation_artefact")
    def linear_volume_error(data: ExperimentData) -> float:
        \"\"\"Largest |V/V0 − (1 + sin²θ)| over all angles, linear FEM.\"\"\"

The docstring's first paragraph is the definition that reports print. A function reads raw rows; it raises MissingData
(through ExperimentData.some, Trace.series, …) when something is not there, and returns a float,
or Measured with a note.
"""

import math
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from . import papers
from .errors import InputError, MissingData, line_of_exception
from .results import ExperimentData, Results
from .parallel import map_in_processes
from .tables import Table


@dataclass(frozen=True)
class Measured:
    """A value with a note on how it came about ("extrapolated from …")."""

    value: float
    note: str = ""

    def __format__(self, form: str) -> str:
        """The value as a caption prints it."""
        return format(self.value, form)


Function = Callable[[ExperimentData], "float | Measured"]
F = TypeVar("F", bound=Function)


@dataclass(frozen=True)
class Measurement:
    """A registered function with what reports print about it."""

    name: str
    unit: str
    experiment: str
    definition: str
    timing: bool
    function: Function


@dataclass(frozen=True)
class Value:
    """A measurement's outcome: a number, or the reason why there is none (`broken`: the function itself failed;
    `refused`: what it reads is bad input)."""

    name: str
    unit: str
    value: float | None
    note: str = ""
    broken: bool = False
    refused: bool = False
    left_out: tuple[str, ...] = ()  # cells that did not complete and were passed over, each with its end

    @property
    def is_missing(self) -> bool:
        """Whether there is no number."""
        return self.value is None


_registry: dict[str, Measurement] = {}


def measurement(name: str, *, unit: str, experiment: str, timing: bool = False, of: str = "") -> Callable[[F], F]:
    """Registers a function. Names are `<experiment's short name>.<quantity>` and unique; a docstring is required.
    Where one function is registered for several rows of an experiment, `of` says which, and the definition ends with
    it."""

    def decorate(function: F) -> F:
        definition = " ".join((function.__doc__ or "").strip().split("\n\n")[0].split())
        if not definition:
            raise InputError(f"measurement {name}: its function needs a docstring, which is the definition")
        if of:
            definition = f"{definition.rstrip('.')}: {of}."
        register(Measurement(name, unit, experiment, definition, timing, function))
        return function

    return decorate


def register(entry: Measurement) -> None:
    """Enters a measurement; InputError where its name is taken or is not of its experiment."""
    name, known = entry.name, _registry.get(entry.name)
    if known is not None and known.function.__module__ != entry.function.__module__:
        raise InputError(
            f"measurement {name}: is in {known.function.__module__} and in {entry.function.__module__}, "
            "expected every measurement to have a name of its own"
        )
    if name.split(".")[0] != entry.experiment.rsplit("/", 1)[-1]:
        raise InputError(f"measurement {name}: must start with the short name of {entry.experiment}")
    _registry[name] = entry


_broken_modules: dict[str, str] = {}


def load_all() -> dict[str, Measurement]:
    """Imports the modules of every known paper's measurements, and returns the registry by name. A module that fails
    does not hide the others: `broken_modules` names it."""
    known = papers.known()
    _broken_modules.clear()  # one that failed is imported again below
    _forget_all_but({p.measurements for p in known if p.is_outside})
    for paper in known:
        for name in measuring_modules(paper):
            if name in sys.modules and not paper.is_outside:
                continue
            try:
                papers.module(paper, name)
            except InputError:
                raise
            except (Exception, SystemExit) as error:
                _broken_modules[name] = _line_of_module(paper, error)
    return dict(sorted(_registry.items()))


def broken_modules() -> list[str]:
    """A line for each module of measurements that could not be imported."""
    return [line for _, line in sorted(_broken_modules.items())]


def measuring_modules(paper: papers.Paper) -> list[str]:
    """As in papers, where a package of measurements that cannot be imported has no modules,
    but a line among the broken ones."""
    try:
        return papers.measuring_modules(paper)
    except (Exception, SystemExit) as error:
        _broken_modules[paper.measurements] = _line_of_module(paper, error)
        return []


def _line_of_module(paper: papers.Paper, error: BaseException) -> str:
    within = str(paper.folder) if paper.is_outside else ""
    return f"measurements of {paper.name} are broken: {line_of_exception(error, within)}"


def _forget_all_but(packages: set[str]) -> None:
    """Measurements of papers outside the tree that were known before, and are not now."""

    def is_gone(module: str) -> bool:
        return module.startswith(f"{papers.OUTSIDE}.") and ".".join(module.split(".")[:3]) not in packages

    for name in [n for n, m in _registry.items() if is_gone(m.function.__module__)]:
        del _registry[name]


@dataclass
class Measurer:
    """Evaluates measurements on one folder of results at one tier, each at most once,
    whichever measurer of these results asks."""

    results: Results
    tier: str
    cache: dict[str, Value] = field(init=False)

    def __post_init__(self) -> None:
        self.registry = load_all()
        self.cache = self.results.measured.setdefault(self.tier, {})

    def __call__(self, name: str) -> Value:
        if name not in self.cache:
            self.cache[name] = self._evaluate(name)
        return self.cache[name]

    def measure_all(self, names: Iterable[str]) -> None:
        """Fills the cache, experiments side by side."""
        by_experiment: dict[str, list[str]] = {}
        for name in sorted(set(names) - set(self.cache)):
            if name in self.registry:
                by_experiment.setdefault(self.registry[name].experiment, []).append(name)

        def evaluate(experiment: str) -> list[Value]:
            return [self._evaluate(name) for name in by_experiment[experiment]]

        for values in map_in_processes(
            evaluate, list(by_experiment), "experiments measured", lambda name: self.results.bytes_of([name])
        ):
            self.cache.update({value.name: value for value in values})

    def table(self, names: Iterable[str], with_definitions: bool = False) -> Table:
        """Measurements with their values and units, one per row."""
        table = Table.of("measurement; value .6g; unit; note", *(["definition"] if with_definitions else []))
        for value in map(self, names):
            definition = [self.registry[value.name].definition] if with_definitions else []
            table.add(value.name, value.value, value.unit, value.note, *definition)
        return table

    def _evaluate(self, name: str) -> Value:
        entry = self.registry.get(name)
        if entry is None:
            return Value(name, "", None, "no such measurement", broken=True)
        data = self.results.experiment(entry.experiment, self.tier)
        if not data.cells:
            return Value(name, entry.unit, None, data.why_empty)
        data.left_out.clear()
        try:
            outcome = entry.function(data)
        except MissingData as reason:
            return Value(name, entry.unit, None, str(reason))
        except InputError as error:
            return Value(name, entry.unit, None, str(error), refused=True)
        except (Exception, SystemExit) as error:  # a broken one must not hide the others; it is shown and fails the run
            module = sys.modules.get(entry.function.__module__)
            return Value(
                name, entry.unit, None, line_of_exception(error, getattr(module, "__file__", None) or ""), broken=True
            )
        value, note = (outcome.value, outcome.note) if isinstance(outcome, Measured) else (outcome, "")
        try:
            value = float(value)
        except (TypeError, ValueError):
            return Value(name, entry.unit, None, f"gives {str(value)[:60]!r}, expected a number", broken=True)
        if math.isnan(value):
            return Value(name, entry.unit, None, note or "not a number")
        left_out = tuple(f"{label}: {status}" for label, status in sorted(data.left_out.items()))
        return Value(name, entry.unit, value, note, left_out=left_out)
