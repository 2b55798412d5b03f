# SPDX-License-Identifier: BSD-3-Clause
"""How far a cell is from a reference: the experiment's own errors, closed forms in the trace,
or the cell `reference`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import Array
from ..cell_errors import AT_THE_END, WHOLE_CURVE, errors_of
from ..errors import InputError, MissingData, line_of_exception
from ..results import ExperimentData, same
from ..trace import Series, Trace, look_up

# The first series that a cell and its reference share is compared. All follow from positions and mean the same
# for every method.
_COMPARED = ("tip_displacement", "centre_of_mass", "max_displacement", "volume", "total_energy")
_STEPS = ("time_step_s",)  # of the scene: in which a reference may be finer
_SAME_TIME = 1e-3  # of the shortest step: far above what rounds in a sum of steps, far below a step


@dataclass(frozen=True)
class Error:
    """A relative error and what it is of; `value` is None where there is none, with the reason."""

    when: str
    what: str
    value: float | None
    reason: str = ""


def _rows(values: Array) -> Array:
    return values.reshape(len(values), -1) if values.ndim > 1 else values[:, None]


def curve_errors(values: Array, expected: Array) -> tuple[float, float]:
    """(at the end, root mean square over the rows) of the distance between two curves [row, …], over the expected
    one's largest norm. MissingData where that is zero."""
    distance = np.linalg.norm(_rows(values) - _rows(expected), axis=1)
    scale = float(np.linalg.norm(_rows(expected), axis=1).max())
    if not scale > 0:
        raise MissingData("the reference is zero throughout")
    return float(distance[-1] / scale), float(np.sqrt(np.mean(distance**2)) / scale)


def at_common_times(left: Series, right: Series) -> tuple[Array, Array]:
    """The rows of two series at the times that both have. MissingData with fewer than two,
    or where one ends before the other."""
    spacing = min(float(np.diff(s.time).min()) if len(s.time) > 1 else np.inf for s in (left, right))
    near = np.searchsorted(right.time, left.time - _SAME_TIME * spacing)
    near = np.minimum(near, len(right.time) - 1)
    common = np.abs(right.time[near] - left.time) < _SAME_TIME * spacing
    if np.count_nonzero(common) < 2 or not abs(left.time[-1] - right.time[-1]) < _SAME_TIME * spacing:
        raise MissingData("the two have no times in common up to the end")
    return left.values[common], right.values[near[common]]


def errors(cell: Trace, data: ExperimentData) -> list[Error]:
    """The errors of a completed cell, the same list of names for every cell of the experiment;
    empty without a reference."""
    own = [_guarded(e.when, e.what, lambda e=e: e.function(cell)) for e in errors_of(data.id)]  # type: ignore[misc]
    if own:
        return own
    return _of_closed_forms(cell) or _of_reference_cell(cell, data)


def _guarded(when: str, what: str, function: Callable[[], float]) -> Error:
    try:
        value = float(function())
    except (MissingData, InputError) as reason:
        return Error(when, what, None, str(reason))
    except Exception as error:  # of a function from outside: the other cells have their errors
        return Error(when, what, None, line_of_exception(error))
    return Error(when, what, value) if np.isfinite(value) else Error(when, what, None, "not a number")


def _of_closed_forms(cell: Trace) -> list[Error]:
    """References on a clock, of a channel of the same name."""
    found = []
    for reference in cell.references():
        clock = reference.clock or "step"
        if not cell.has(clock, reference.channel):
            continue
        series = cell.series(clock, reference.channel)
        if series.is_ensemble or series.values.shape != reference.values.shape or not len(series.values):
            continue
        what = f"{reference.channel}, against {reference.id}"
        both = curve_errors(series.values, reference.values)
        found += [Error(AT_THE_END, what, both[0]), Error(WHOLE_CURVE, what, both[1])]
    return found


def _of_reference_cell(cell: Trace, data: ExperimentData) -> list[Error]:
    """Against the cell of the entry `reference` on the same scene, of which the time step may be another. One without
    a value, with the reason, where the experiment has that entry but no such cell."""
    entries = [r for r in data.cells if r.method_name == "reference"]
    if cell.method_name == "reference" or not (entries or any(name == "reference" for name, _ in data.missing)):
        return []
    shared = [c for c in _COMPARED if cell.has("step", c) and any(r.has("step", c) for r in entries)]
    against = f"against the cell `reference`{f': {entries[0].method_id}' if entries else ''}"
    what = ", ".join([*shared[:1], against])
    try:
        if entries and not shared:
            raise MissingData(f"the two have none of {', '.join(_COMPARED)}")
        ours, theirs = (c.series("step", shared[0]) for c in (cell, _reference_of(cell, entries)))
        if ours.is_ensemble or theirs.is_ensemble:
            raise MissingData("an ensemble is no single curve")
        both = curve_errors(*at_common_times(ours, theirs))
    except MissingData as reason:
        return [Error(when, what, None, str(reason)) for when in (AT_THE_END, WHOLE_CURVE)]
    return [Error(AT_THE_END, what, both[0]), Error(WHOLE_CURVE, what, both[1])]


def _reference_of(cell: Trace, entries: Sequence[Trace]) -> Trace:
    """The reference at the cell's own point of the sweep, or else the one with the shortest time step.
    MissingData."""

    def scene(trace: Trace) -> dict[str, object]:
        return {k: v for k, v in dict(trace.value("scene.parameters", {})).items() if k not in _STEPS}

    def rank(reference: Trace) -> tuple[int, float]:
        points = [p for p in {**cell.coordinates, **reference.coordinates} if not p.startswith("method.")]
        step = float(reference.value("scene.parameters.time_step_s", 0.0))
        return sum(same(cell.value(p), reference.value(p)) for p in points), -step

    ranked = {
        r: rank(r)
        for r in entries
        if r.status == "completed"
        and r.value("scene.name") == cell.value("scene.name")
        and _same_values(scene(r), scene(cell))
    }
    if not ranked:
        raise MissingData("no completed cell `reference` on this scene")
    best = [r for r in ranked if ranked[r] == max(ranked.values())]
    if len(best) > 1:
        raise MissingData(f"{len(best)} cells `reference` fit, expected one")
    return best[0]


def _same_values(left: dict[str, object], right: dict[str, object]) -> bool:
    return left.keys() == right.keys() and all(same(left[k], right[k]) for k in left)


def apart(baseline: Trace, other: Trace) -> Error | None:
    """How far the other side is from the baseline where no reference tells which is right: at the end,
    over the baseline's largest."""
    for channel in _COMPARED:
        if not baseline.has("step", channel) or not other.has("step", channel):
            continue
        a, b = baseline.series("step", channel), other.series("step", channel)
        if a.is_ensemble or b.is_ensemble or a.values.shape[1:] != b.values.shape[1:]:
            continue
        what = f"{channel} of one from the other's"
        if look_up(baseline.spec, "schedule.until_static") is not None:  # their steps are none of a motion
            return _guarded(
                AT_THE_END, what, lambda a=a, b=b: curve_errors(b.values[-1:], a.values[-1:])[0]  # type: ignore[misc]
            )
        return _guarded(
            WHOLE_CURVE, what, lambda a=a, b=b: curve_errors(*at_common_times(b, a))[1]  # type: ignore[misc]
        )
    return None
