# SPDX-License-Identifier: BSD-3-Clause
"""Each measurement of the vocabulary, on all declared runs with made-up quantities, is reduced from exactly the runs
that it says, one of them that failed leaves no number, and the others do not matter. DEFORMBENCH names the command
that lists the runs."""

import random
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from declared_runs import COMMAND, data_of
from selections import RECORDS, chosen, first_tier, lines, measures

from deformbench_analysis import measurement
from deformbench_analysis.claims import all_claims, leaves_of
from deformbench_analysis.errors import MissingData
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from deformbench_analysis.vocabulary import Measure, Quantity, Rows

pytestmark = pytest.mark.skipif(not COMMAND, reason="DEFORMBENCH names no command")

BY_EXPERIMENT: dict[str, list[Measure]] = {}
for _experiment, _measure in measures().values():
    BY_EXPERIMENT.setdefault(_experiment, []).append(_measure)
REACH = "how far the runs reach: one must be there"
BEST_RUN_JUDGED: dict[str, str] = {  # comparison → why the best run is judged, not the worst
    "IVM-11: ghost_force_drift.vertex_drift > 1e-06": "a counterexample: one bar that moves is enough",
    "IVM-12: ghost_forces.element_qr_torque_sum > 0.01": "a control: the sum of torques would show one that is there",
    "IVM-13: identity_rotation.strain > 0.1": "a control: some pose is strained, so that forces are compared",
    "IVM-38: split_rule.other_order_stress_difference > 0.001": "a control: one split that tells the orders apart is enough",
    "IVM-43: snake.rotation_deg > 90": "one run; its largest rotation shows that rotations are large",
    "PAU-04: mls_consistency.decay_error in [2.99, 3.01]": "a third power: no more from above, no less from below",
    "PAU-04: mls_consistency.unequal_ends > 0.1": "a counter: supports that differ make weights that differ",
    "PAU-26: resampling.inserted_share >= 0.1": "a counter: narrow supports insert nodes, wide need none",
    "PAU-28: leap_frog.energy_error > 0.0001": "a counter: errors far above rounding are fitted",
    "PBD-30: gears.contacts > 100": "of one run: the step with most contacts shows that gears and cloth press on each other",
    "ASG-03: uniaxial_bar.printed_modulus in [0.995, 1.005]": "the least modulus: where it is above the upper end, none is right",
    "ASG-06: free_fall.cg20_force_error > 0.1": "a control: solves that have not converged leave a force error that is seen",
    "ASG-10: constant_system.largest_angle >= 30": REACH,
    "ASG-14: euler_oscillator.largest_symplectic_turn >= 1.5": REACH,
    "ASG-11: warped_forces.qr_torque > 0.001": "a control: the torque that another rotation leaves",
    "MSL-05: stiff_steps.largest_stable_explicit in [1.0, 2.0]": "the upper end judges all; the lower: one came near the limit",
    "MSL-05: stiff_steps.least_unstable_explicit in [2.0, 2.5]": "the lower end judges all; the upper: one came near the limit",
    "PBD-19: strip_bending.unequal_triangles > 1.5": "a control: meshes of equal triangles are among them",
    "LEC-03: bending_cantilever.drop > 0.3": REACH,
    "LEC-05: angle_slopes.cosine_error_flat < 0.001": "fails as it is; the control of its regime, > 0.001, judges the least",
    "LEC-14: impulse_distribution.travel >= 0.5": "a counter: some vertices move far",
    "LEC-03: bend_loops.folded_at_rest > 0.3": "a counter: one of the strips has rest angles",
    "LEC-19: spring_creep.largest_share_without_overshoot >= 2.5": REACH,
    "LEC-19: spring_creep.smallest_share_that_diverges in [2, 2.5]": "the lower end judges all; the upper: one came near the limit",
    "LEC-19: spring_creep.least_share <= 0.0011": REACH,
    "LEC-19: spring_creep.largest_fine_share >= 0.099": REACH,
    "LEC-11: rebound.largest_gap >= 0.75": REACH,
    "LEC-11: rebound.longest_step >= 0.85": REACH,
    "LEC-15: folding_stack.crossings_after_thousand > 0": "a counterexample: one stack that a thousand sweeps leave crossing",
    "LEC-15: folding_stack.contacts_ratio > 1": "a counterexample: one stack in which mending a contact causes others",
    "LEC-15: folding_stack.most_sweeps_of_cloth > 1000": "a counterexample: one stack that needs a thousand sweeps",
    "LEC-12: velocity_smoothing.largest_elasticity >= 0.48": REACH,
    "LEC-12: velocity_smoothing.largest_strength >= 9.9": REACH,
    "LEC-12: velocity_smoothing.least_strength <= 0.11": REACH,
    "LEC-16: thin_gaps.least_gap <= 1e-06": REACH,
    "IPC-02: hard_contacts.least_det < 0.01": "a counter: one element near inversion is enough",
    "IPC-02: hard_contacts.finite_law_det <= 0": "a control: one element that such a law inverts is enough",
    "IPC-06: thin_barriers.path_error > 0.0005": "a counter: the widest barrier changes the path",
}
EXPECTED: dict[str, Callable[[list[float]], float]] = {
    "largest": max,
    "least": min,
    "total": sum,
    "mean": lambda values: sum(values) / len(values),
    "distinct": lambda values: float(len(set(values))),
    "count": lambda values: float(len(values)),
    "only": lambda values: values[0],
}


def made_up(measure: Measure) -> tuple[Measure, dict[tuple[str, ...], float]]:
    """The measure with a quantity that is another number for each run or pair, and the numbers that it gave.
    Conditions on what came out hold; orders and groups by what came out are orders and groups by what is made up."""
    given: dict[tuple[str, ...], float] = {}

    def number(*traces: Trace) -> float:
        key = tuple(t.cell_id for t in traces)
        given[key] = random.Random(repr(key)).uniform(1.0, 2.0)
        return 1.0 if measure.reduction == "count" else given[key]

    def or_made_up(function: Callable[..., Any]) -> Callable[..., Any]:
        def by(*traces: Trace) -> Any:
            try:
                return function(*traces)
            except (AttributeError, OSError, TypeError, ValueError, MissingData):  # it asks for what came out
                return random.Random(traces[0].cell_id).uniform(1.0, 2.0)

        return by

    steps = tuple(
        replace(
            s,
            function=(lambda *_: True)
            if s.kind == "having"
            else or_made_up(s.function)
            if s.other is None
            else s.function,
        )
        for s in measure.rows.steps
    )
    return (
        replace(measure, quantity=Quantity(number, "number"), rows=replace(measure.rows, steps=steps, note=None)),
        given,
    )


def narrows(rows: Rows) -> bool:
    return any(step.kind == "largest" for step in rows.steps)


def fails(cell: Trace) -> None:
    cell.status = "failed"


@pytest.mark.parametrize("experiment", sorted(BY_EXPERIMENT))
def test_it_is_reduced_from_exactly_the_declared_runs_that_it_says(experiment: str) -> None:
    for measure in BY_EXPERIMENT[experiment]:
        data = first_tier(experiment, measure)
        made, given = made_up(measure)
        value = made(data).value
        selected = {c.cell_id for c in chosen(measure.rows, data.cells)}
        used = (
            {key[0] for key in given} if any(s.other for s in measure.rows.steps) else {k for key in given for k in key}
        )
        assert used <= selected if narrows(measure.rows) else used == selected, measure.name
        assert value == pytest.approx(EXPECTED[measure.reduction](list(given.values()))), measure.name
        if measure.reduction == "only":
            assert len(given) == 1, measure.name


@pytest.mark.parametrize("experiment", sorted(BY_EXPERIMENT))
def test_a_run_that_failed_leaves_no_number_where_it_counts_and_changes_nothing_where_not(experiment: str) -> None:
    for measure in BY_EXPERIMENT[experiment]:
        tier = first_tier(experiment, measure).tier
        made, given = made_up(measure)
        whole = made(data_of(experiment, tier)).value
        involved = {cell_id for key in given for cell_id in key}
        cells = data_of(experiment, tier).cells
        ids = [c.cell_id for c in cells]
        counted = {c.cell_id for c in chosen(measure.rows, cells)}
        counting = [k for k in ids if k in counted]
        for cell_id in {counting[0], counting[-1], *sorted(involved - set(counting))[:1]}:
            _one_fails(measure, made, data_of(experiment, tier), cell_id)
        others = [k for k in ids if k not in involved and k not in counting]
        for cell_id in others[:1] + others[-1:]:
            data = data_of(experiment, tier)
            if _may_matter(measure.rows, data, cell_id):
                continue
            fails(next(c for c in data.cells if c.cell_id == cell_id))
            assert made(data).value == whole, (measure.name, cell_id)


def _may_matter(rows: Rows, data: ExperimentData, cell_id: str) -> bool:
    """Whether it is one of the runs among which partners are looked for."""
    partners = [s.other for s in rows.steps if s.other is not None]
    return any(cell_id in {c.cell_id for c in chosen(other, data.cells)} for other in partners)


def _one_fails(measure: Measure, made: Measure, data: ExperimentData, cell_id: str) -> None:
    cell = next(c for c in data.cells if c.cell_id == cell_id)
    partners = [s.other for s in measure.rows.steps if s.other is not None]
    asked = [r for r in (measure.rows, *partners) if cell in chosen(r, data.cells)]
    fails(cell)
    if asked and all(r.any_end for r in asked):
        made(data)
        return
    if measure.rows.missing:
        try:
            made(data)
        except MissingData:  # it was the only one
            return
        assert data.left_out[cell.label] == "failed", measure.name
        return
    with pytest.raises(MissingData, match="did not complete|no cell with"):
        made(data)


def test_a_claim_bounds_the_worst_run() -> None:
    """An upper bound judges the largest number, a lower one the least."""
    right = {"largest": ("<", "<=", "=="), "least": (">", ">=", "==")}
    ways = {name: measure.reduction for name, (_, measure) in measures().items()}
    wrong = {
        f"{claim.id}: {leaf['measurement']} {leaf['op']} {leaf['value']}"
        for claims in all_claims().values()
        for claim in claims
        for leaf in leaves_of(claim.predicate or {})
        if leaf["op"] not in right.get(ways.get(leaf["measurement"], ""), (leaf["op"],))
    }
    assert wrong == set(BEST_RUN_JUDGED)


def test_a_composed_definition_is_short() -> None:
    assert [
        n
        for n, m in measurement._registry.items()
        if isinstance(m.function, Measure) and len(re.findall("[A-Za-z]{2,}", m.definition)) > 25
    ] == []


def test_what_is_recorded_is_what_is_counted() -> None:
    found = {paper: set(of) for paper, of in lines().items()}
    recorded = {
        p.parent.name: set(p.read_text(encoding="utf-8").splitlines()) for p in RECORDS.glob("*/selections.txt")
    }
    assert found == recorded, "read the difference; python3 tests/analysis/selections.py records it"
