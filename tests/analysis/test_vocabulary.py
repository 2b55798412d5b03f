# SPDX-License-Identifier: BSD-3-Clause
"""The vocabulary of measurements: every reduction and every way to choose runs,
on made-up runs with one number each."""

from typing import Any

import numpy as np
import pytest
from declared_runs import declared_run

from deformbench_analysis import measurement
from deformbench_analysis.errors import InputError, MissingData
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from deformbench_analysis.vocabulary import EVERY_RUN, Measure, Measures, Quantity, Rows, difference, order, parameter
from deformbench_analysis.vocabulary import quantity, ratio, rows

NAN = float("nan")
A, B = rows("a"), rows("b")


@pytest.fixture(autouse=True)
def _no_other_measurements(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measurement, "_registry", {})


def run(
    name: str, value: Any, status: str = "completed", method: str = "fem", expect: str = "completed", **scene: Any
) -> Trace:
    spec = {
        "experiment": "any/any",
        "coordinates": {"scene.parameters.k": scene.get("k", 0), "value": value},
        "scene": {"parameters": {"k": 0, **scene}},
        "method": {"name": name, "id": method, "parameters": {"sweeps": scene.get("k", 0) + 1, "both": 1}},
        "expect": {"status": expect},
    }
    trace = declared_run(f"{name}{value}{scene}", spec)
    trace.status = status
    return trace


def data_of(*cells: Trace) -> ExperimentData:
    return ExperimentData("any/any", "paper", list(cells), {c.cell_id: c.spec["expect"]["status"] for c in cells})


@quantity(unit="m")
def size(trace: Trace) -> Any:
    """Largest height of a run."""
    return trace.value("value")


def k(trace: Trace) -> float:
    """Cells."""
    return trace.number("k")


def is_fine(trace: Trace) -> bool:
    """Fine meshes."""
    return k(trace) >= 2


def make(reduction: str, of: Quantity, runs: Rows, **more: Any) -> Measure:
    arguments = (runs,) if reduction == "count" else (of, runs)
    return getattr(Measures("any/any"), reduction)("it", *arguments, **more)  # type: ignore[no-any-return]


def test_a_parameter_is_a_quantity_of_scene_or_method() -> None:
    across, name = parameter("k", int, "Cells."), parameter("method.id", str, "Method.")
    data = data_of(run("a", 0.0, k=2), run("a", 1.0, k=5))
    assert [(across(c), name(c)) for c in data.cells] == [(2, "fem"), (5, "fem")]
    made = make("largest", across, A.at_largest(across))
    assert made(data).value == 5 and made.definition == "Cells: maximum over a runs, largest cells."


@pytest.mark.parametrize(
    ("reduction", "value", "note"),
    [
        ("largest", 4.0, "a (k=1, value=4)"),
        ("least", -2.0, "a (k=2, value=-2)"),
        ("total", 5.0, ""),
        ("mean", 1.25, ""),
        ("distinct", 3.0, ""),
        ("count", 4.0, ""),
    ],
)
def test_numbers_of_runs_are_reduced(reduction: str, value: float, note: str) -> None:
    cells = [run("a", 1.0), run("a", 4.0, k=1), run("a", -2.0, k=2), run("a", 4.0 - 2.0, k=3), run("b", 9.0)]
    cells[3] = run("a", 4.0 - 2.0, k=3) if reduction != "distinct" else run("a", 1.0, k=3)
    found = make(reduction, size, A)(data_of(*cells))
    assert (found.value, found.note) == (value, note)


@pytest.mark.parametrize(
    ("reduction", "value"), [("largest", 7.0), ("least", -1.0), ("total", 12.0), ("mean", 3.0), ("only", 7.0)]
)
def test_members_are_reduced_as_runs_are(reduction: str, value: float) -> None:
    cells = (
        [run("a", [1.0, 7.0, -1.0])] if reduction == "only" else [run("a", [1.0, 7.0, -1.0]), run("a", [2.0, 3.0], k=1)]
    )
    if reduction == "mean":
        cells = [run("a", [1.0, 3.0]), run("a", [4.0], k=1)]
    assert make(reduction, size, A)(data_of(*cells)).value == value


def test_members_can_be_reduced_otherwise_before() -> None:
    data = data_of(run("a", [1.0, 2.0, 6.0]), run("a", [4.0, 4.0, 4.0], k=1))
    of = {"mean": 3.0, "median": 2.0, "largest": 4.0, "least": 1.0, "total": 9.0}
    for name, value in of.items():
        assert make("least", getattr(size, name)(), A)(data).value == value
    assert make("largest", size.off(2.0), A)(data).value == 4.0
    assert make("only", quantity("x")(lambda c: c.value("value")[1] > 3), A.where(k=1))(data).value == 1.0


@pytest.mark.parametrize("reduction", ["largest", "least", "only"])
def test_what_is_not_a_number_or_empty_leaves_none(reduction: str) -> None:
    for value in (NAN, [1.0, NAN], []):
        with pytest.raises(MissingData, match="not a number|nothing to compare"):
            make(reduction, size, A)(data_of(run("a", value)))


def test_numbers_with_names_are_noted_by_them() -> None:
    named = quantity("x")(lambda c: {f"member {i}": v for i, v in enumerate(c.value("value"))})
    found = make("largest", named, A)(data_of(run("a", [1.0, 5.0, 2.0])))
    assert (found.value, found.note) == (5.0, "member 1")


def test_numbers_that_are_noted_alike_are_all_counted() -> None:
    data = data_of(*(run("a", value, k=n) for n, value in enumerate([3.0, 8.0, 1.0])))
    assert make("largest", size, A.noted(lambda c: "a"))(data).value == 8.0
    assert make("total", size, A.noted(lambda c: "a"))(data).value == 12.0


CELLS = [run(name, 10.0 * i + n, k=i) for n, name in enumerate("abc") for i in range(4)]


@pytest.mark.parametrize(
    ("chosen", "values"),
    [
        (EVERY_RUN, [0, 10, 20, 30, 1, 11, 21, 31, 2, 12, 22, 32]),
        (rows("c", "a"), [2, 12, 22, 32, 0, 10, 20, 30]),
        (A.where(k=2), [20]),
        (A.where(sweeps=2), [10]),
        (A.where({"scene.parameters.k": 2.0}), [20]),
        (A.where(is_fine), [20, 30]),
        (A.where(is_fine, k=3), [30]),
        (A.where(is_fine).where(k=3), [30]),
        (A.having(lambda c: size(c) in (10, 30), "odd"), [10, 30]),
        (A.having(lambda c: k(c) < 3, "few").at_largest(k), [20]),
        (rows("a", "b").at_largest(k), [30, 31]),
        (rows(method="fem").where(k=0), [0, 1, 2]),
        (rows(method="pbd").may_be_missing("none"), None),
        (A.where(k=9), None),
        (rows("d"), None),
        (rows("a", "d"), None),
    ],
)
def test_rows_are_those_that_they_say(chosen: Rows, values: list[float] | None) -> None:
    if values is None:
        with pytest.raises(MissingData, match="no cell with"):
            chosen.units(data_of(*CELLS))
    else:
        assert [size(*traces) for traces, _ in chosen.units(data_of(*CELLS))] == values


def test_one_of_several_rows_need_not_fit() -> None:
    cells = [run("a", 1.0, k=0), run("b", 2.0, k=5)]
    assert [size(*t) for t, _ in rows("a", "b").where(is_fine).units(data_of(*cells))] == [2.0]
    with pytest.raises(MissingData):
        rows("a", "b").where(k=7).units(data_of(*cells))


def test_a_parameter_of_scene_and_method_needs_its_path() -> None:
    with pytest.raises(InputError, match="dotted path"):
        A.where(both=1).units(data_of(run("a", 1.0, both=1)))


def test_partners_neighbours_and_groups() -> None:
    data = data_of(*CELLS)
    beside = A.beside(B, "k")
    assert make("largest", difference(size), beside)(data).value == 1.0
    assert make("least", ratio(size), beside.having(lambda a, b: k(a) > 0, ""))(data).value == 10 / 11
    assert [[size(t) for t in unit] for unit, _ in beside.units(data)] == [[0, 1], [10, 11], [20, 21], [30, 31]]
    shifted = A.where(k=1).beside(B, lambda run: {"scene.parameters.k": k(run) + 2})
    assert [[size(t) for t in unit] for unit, _ in shifted.units(data)] == [[10, 31]]
    with pytest.raises(MissingData, match="4 cells where one was expected"):
        A.beside(B).units(data)
    with pytest.raises(MissingData, match="no cell with"):
        A.beside(B.where(is_fine), "k").units(data)
    next_to = A.neighbours(lambda c: -k(c)).noted(lambda a, b: f"{k(a):g} to {k(b):g}")
    assert [name for _, name in next_to.units(data)] == ["3 to 2", "2 to 1", "1 to 0"]
    with pytest.raises(MissingData, match="5 at least"):
        A.neighbours(k, least=5).units(data)
    groups = rows("a", "b").grouped(k)
    assert [[size(t) for t in unit] for unit, _ in groups.units(data)] == [[0, 1], [10, 11], [20, 21], [30, 31]]
    assert make("largest", quantity("spread")(lambda *c: size(c[1]) - size(c[0])), groups)(data).note == "0.0"


def test_the_order_is_the_slope_of_logarithms() -> None:
    data = data_of(*(run("a", 3.0 * 2.0**i, k=4**i) for i in range(3)))
    assert make("largest", order(size, k), A.neighbours(k))(data).value == pytest.approx(0.5)


def test_the_only_run_is_alone() -> None:
    assert make("only", size, A.where(k=2))(data_of(*CELLS)).value == 20
    with pytest.raises(MissingData, match="4 cells where one was expected"):
        make("only", size, A)(data_of(*CELLS))


@pytest.mark.parametrize("reduction", ["largest", "least", "count", "only", "total", "mean", "distinct"])
def test_a_run_that_failed_leaves_no_number_unless_the_rows_say_why(reduction: str) -> None:
    data = data_of(run("a", 1.0), run("a", 5.0, status="failed", k=1), run("b", 3.0, status="failed"))
    of = A.where(k=0) if reduction == "only" else A
    if reduction != "only":
        with pytest.raises(MissingData, match="1 cells did not complete"):
            make(reduction, size, of)(data)
        assert make(reduction, size, of.where(k=0))(data).value == 1.0
    assert make(reduction, size, of.may_be_missing("too slow"))(data).value == 1.0
    assert data.left_out == ({} if reduction == "only" else {"a (k=1, value=5)": "failed"})


def test_runs_may_count_however_they_ended() -> None:
    data = data_of(run("a", 1.0), run("a", 5.0, status="failed", k=1))
    assert make("largest", size, A.however_ended("energy up to the end is what is asked"))(data).value == 5.0


def test_a_run_that_diverged_as_declared_is_passed_over_and_said() -> None:
    data = data_of(run("a", 1.0), run("a", 5.0, status="diverged", expect="diverged", k=1))
    assert make("largest", size, A)(data).value == 1.0
    assert data.left_out == {"a (k=1, value=5)": "diverged"}


def test_a_partner_that_failed_leaves_no_number() -> None:
    with pytest.raises(MissingData, match="did not complete"):
        make("largest", ratio(size), A.beside(B, "k"))(data_of(run("a", 1.0), run("b", 2.0, status="failed")))


@pytest.mark.parametrize(
    ("reduction", "runs", "definition"),
    [
        ("largest", A.where(is_fine), "Largest height of a run: maximum over a runs, fine meshes."),
        ("least", EVERY_RUN, "Largest height of a run: minimum over all runs."),
        ("only", EVERY_RUN, "Largest height of a run."),
        ("only", rows(says="rods").where(k=2), "Largest height of a run: rods, k = 2."),
        ("count", rows("a", "b"), "Number of runs: a and b runs."),
        ("largest", A.beside(B, "k"), "Largest height of a run: maximum over a runs, against b runs of the same k."),
        ("largest", A.at_largest(k), "Largest height of a run: maximum over a runs, largest cells."),
        ("mean", A.where(is_fine, says="with care"), "Largest height of a run: mean over a runs, with care."),
    ],
)
def test_a_definition_is_composed(reduction: str, runs: Rows, definition: str) -> None:
    made = make(reduction, size, runs)
    entry = measurement._registry["any.it"]
    assert entry.definition == definition
    assert (entry.unit, entry.experiment, entry.timing) == ("1" if reduction == "count" else "m", "any/any", False)
    assert entry.function is made and made.__module__ == __name__


def test_a_definition_can_be_given_and_a_measurement_can_be_of_time() -> None:
    make("largest", size, A, definition="Height.", timing=True)
    assert (measurement._registry["any.it"].definition, measurement._registry["any.it"].timing) == ("Height.", True)


def test_what_has_no_phrase_or_reason_is_refused() -> None:
    with pytest.raises(InputError, match="docstring or a phrase"):
        Measures("any/any").largest("it", lambda c: 1.0, A)
    with pytest.raises(InputError, match="docstring or a phrase"):
        A.where(lambda c: True)
    with pytest.raises(InputError, match="reason"):
        A.may_be_missing(" ")


def test_a_function_of_the_data_is_registered_under_the_experiments_name() -> None:
    @Measures("any/any")("other", unit="s", of="rods")
    def other(data: ExperimentData) -> float:
        """Time."""
        return float(np.pi)

    assert measurement._registry["any.other"].definition == "Time: rods."
    assert other(data_of()) == np.pi
