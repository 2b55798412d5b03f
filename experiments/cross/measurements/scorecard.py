# SPDX-License-Identifier: BSD-3-Clause
"""The scorecard: how far every method violates invariants that all should keep. A row is a method, a column an
invariant; an entry is one dimensionless number, the worst of all rows of the trace, with its bound and the origin of
the bound.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from deformbench_analysis.declarations import Declaration
from deformbench_analysis.vocabulary import ExperimentData, Measured, MissingData, Results, Trace, measurement
from .scorecard_numbers import NEAR, ORDER_WINDOW, Reduce, affine_gradient, always, angular_drift, below, differing
from .scorecard_numbers import displacement, energy_gain, excess_load, fall, force_error, kinetic_gain
from .scorecard_numbers import landing_gain, linear_drift, observed_order, off_the_map, principal_stretch
from .scorecard_numbers import stable_step, torsional_bound

SOLVED = 1e-10  # default relative residual of linear solvers: no method can be judged more finely than it solves
DRIFT = 1e-9  # of momentum: what a solver leaves in each of a hundred steps, of random sign
RECOVERED = 0.01  # |principal stretch − 1|, as in cs6967_assignment_2/inversion_recovery
PASSED, FAILED, NOT_APPLICABLE, NOT_RUN = "passed", "failed", "not applicable", "not run"
LANDING = 0.01  # of the energy that gravity has supplied
LOAD = 0.5  # of the weight: let go without damping, a body carries √1.5 of it in the mean
SECOND_ORDER = 10.0  # times the strain: laws of elasticity differ from Hooke's by terms of second order


@dataclass(frozen=True)
class Entry:
    """One number of the scorecard. Without a number: not applicable or not run where `kept` is None,
    else broken off."""

    value: float | None
    bound: float | None = None
    kept: bool | None = None
    reason: str = ""
    trace: Trace | None = None
    lacks: bool = False  # its runs should give a number

    @property
    def state(self) -> str:
        """As text."""
        if self.kept is not None:
            return PASSED if self.kept else FAILED
        return NOT_RUN if self.lacks or self.reason.startswith(NOT_RUN) else NOT_APPLICABLE


@dataclass(frozen=True)
class Invariant:
    """A column: its number, the bound in words, the experiments whose traces show it,
    and what it does not apply to."""

    key: str
    title: str
    definition: str
    short: str  # the bound, short enough for a heading
    bound: str
    experiments: tuple[str, ...]
    reduce: Reduce
    not_of_cloth: str = ""  # why a cloth has no such entry
    not_of: Mapping[str, str] = field(default_factory=dict)  # by method: why it does not run the experiments


NO_LANDING = {
    "pbd": "its constraints store no energy",
    "bullet_fem": "not run: Bullet's deformable body runs without obstacles here",
}

INVARIANTS: tuple[Invariant, ...] = (
    Invariant(
        "rest",
        "rest",
        "A free body at rest: largest vertex displacement relative to the diagonal, 100 steps",
        "≤ 10⁻¹⁰",
        f"{SOLVED:g}: default residual of linear solvers",
        ("cross/scorecard_rest", "cross/scorecard_cloth_rest"),
        below(displacement, always(SOLVED)),
    ),
    Invariant(
        "free_fall",
        "free fall",
        "A free body falls: largest |v − gt|/|g|t of a vertex, or distance of its drop from the interval of the two "
        "Euler sums relative to ½|g|t²",
        "≤ 10⁻⁹",
        f"{DRIFT:g}: a hundred steps of such solves, with errors of random sign",
        ("cross/scorecard_free_fall", "cross/scorecard_cloth_free_fall"),
        below(fall, always(DRIFT)),
    ),
    Invariant(
        "linear_momentum",
        "linear\nmomentum",
        "A free, spinning body: largest change of Σmv relative to the start's Σm|v|",
        "≤ 10⁻⁹",
        f"{DRIFT:g}: as for free fall",
        ("cross/scorecard_momenta", "cross/scorecard_cloth_momenta"),
        below(linear_drift, always(DRIFT)),
    ),
    Invariant(
        "angular_momentum",
        "angular\nmomentum",
        "A free, spinning body: largest relative change of the angular momentum about the centre of mass",
        "≤ 10⁻⁹",
        f"{DRIFT:g}: as for free fall; implicit Euler loses (ωΔt)² of a spin in every step",
        ("cross/scorecard_momenta", "cross/scorecard_cloth_momenta"),
        below(angular_drift, always(DRIFT)),
    ),
    Invariant(
        "energy",
        "energy\nmade",
        "A twisted bar is released: largest gain of total energy relative to the start",
        "≤ ½hΣωE/E",
        "½hΣωE/E of its torsional modes, h the (sub)step: bound on E minus symplectic Euler's conserved energy",
        ("cross/scorecard_energy",),
        below(energy_gain, torsional_bound),
        "edges without compliance store no energy: see kinetic energy",
    ),
    Invariant(
        "kinetic_energy",
        "kinetic\nenergy made",
        "A free, spinning body started at its rest shape: largest gain of kinetic energy relative to the start",
        "≤ 10⁻⁹",
        f"{DRIFT:g}: as for free fall; it has no other energy to convert",
        ("cross/scorecard_momenta", "cross/scorecard_cloth_momenta"),
        below(kinetic_gain, always(DRIFT)),
    ),
    Invariant(
        "landing",
        "landing:\nenergy made",
        "A block falls on a plane: largest gain of total energy relative to gravity's work, 200 steps of 5 ms",
        f"≤ {LANDING:g}",
        f"{LANDING:g}: an obstacle at rest does no work",
        ("cross/scorecard_landing",),
        below(landing_gain, always(LANDING)),
        "not run: no sheet of the scorecard lands",
        NO_LANDING,
    ),
    Invariant(
        "resting",
        "resting:\nexcess load",
        "A block released on a plane: |√(U/U₀) − 1|, U mean elastic energy from 1 to 2 s, U₀ that under its weight",
        f"≤ {LOAD:g}",
        f"{LOAD:g}: without damping it carries √1.5 of its weight in the mean",
        ("cross/scorecard_resting",),
        below(excess_load, always(LOAD)),
        "not run: no sheet of the scorecard rests",
        NO_LANDING,
    ),
    Invariant(
        "patch",
        "patch test:\nmap",
        "A block started on the affine map X + GX, its boundary held there: largest distance of a vertex from the "
        "map relative to the largest |GX|, 20 steps",
        "≤ 10⁻⁹",
        f"{DRIFT:g}: as for free fall",
        ("cross/scorecard_patch",),
        below(off_the_map, always(DRIFT)),
        "a cloth of constraints has no stress to be constant",
    ),
    Invariant(
        "patch_forces",
        "patch test:\nforces",
        "A block started on an affine map X + GX: largest difference of a vertex's elastic force from that of linear "
        "elasticity, relative to the largest such force",
        "≤ 10 max |G|",
        f"{SECOND_ORDER:g} max |G|: laws of elasticity differ by terms of second order",
        ("cross/scorecard_patch_forces",),
        below(force_error, lambda t: SECOND_ORDER * float(np.abs(affine_gradient(t)).max())),
        "a cloth of constraints has no stress to be constant",
    ),
    Invariant(
        "rotation",
        "rotation",
        "A free body at rest turned by 100°: largest vertex displacement relative to the diagonal, 100 steps",
        "≤ 10⁻¹⁰",
        f"{SOLVED:g}: as for rest",
        ("cross/scorecard_turned", "cross/scorecard_cloth_turned"),
        below(displacement, always(SOLVED)),
    ),
    Invariant(
        "determinism",
        "two runs\ndiffer in",
        "A free, spinning body, run twice in one process: share of positions and velocities not bit for bit equal",
        "= 0",
        "0: bit for bit",
        ("cross/scorecard_momenta", "cross/scorecard_cloth_momenta"),
        below(differing, always(0.0)),
    ),
    Invariant(
        "order",
        "order of\nconvergence",
        "A tetrahedron in dilation mode, Δt = 0.1 and 0.05 ms: observed order of its largest error "
        "against the exact solution",
        "1, 2 … ± 0.1",
        f"a whole number of 1 or more, within {ORDER_WINDOW:g}",
        ("cross/scorecard_order", "cross/scorecard_order_explicit"),
        observed_order,
        "no exact solution for constrained cloth is known",
        {
            "pbd": "its constraints' stiffness depends on Δt, so that no limit as Δt → 0 is defined",
            "meshless": "not run: kernel-sum volumes change the frequency; its leap-frog is tested on a block",
        },
    ),
    Invariant(
        "recovery",
        "inversion\nrecovery",
        "A block 1 s after a tangled start, the same for all: largest |principal stretch − 1| of an element, the "
        "smallest stretch negative where inverted (at the end alone)",
        "≤ 0.01",
        f"{RECOVERED:g}: as in inversion_recovery of CS 6967",
        ("cross/tangled_start",),
        below(principal_stretch, always(RECOVERED)),
        "a triangle in space has no inverted state",
        {
            "pbd": "not run: cross/tangled_start compares elastic energies, and it has none",
            "bullet_fem": "not run: cross/tangled_start damps by mass, which Bullet's neo-Hookean body lacks",
        },
    ),
    Invariant(
        "step",
        "stable step\n[2/ω_max]",
        "A block displaced by 0.1 mm, steps of 0.1 s: longest (sub)step in units of the longest stable explicit one",
        "stays near",
        f"kept where no vertex is ever farther from rest than {NEAR:g} times the largest initial displacement",
        ("cross/scorecard_step",),
        stable_step,
        "the longest explicit step of rigid constraints is 0",
    ),
)

EXPERIMENTS: tuple[str, ...] = tuple(dict.fromkeys(e for i in INVARIANTS for e in i.experiments))


def _short(experiment: str) -> str:
    return experiment.rsplit("/", 1)[-1]


def is_of_cloth(experiment: str) -> bool:
    """Whether the experiment runs a cloth."""
    return _short(experiment).startswith("scorecard_cloth_")


def _asked(invariant: Invariant, cloth: bool) -> list[str]:
    return [e for e in invariant.experiments if is_of_cloth(e) == cloth]


def _set_by_all_rows(experiment: str, declarations: Mapping[str, Declaration]) -> set[str]:
    """Parameters that belong to the experiment, such as damping. A method that joins runs with its defaults, and thus
    a different experiment."""
    rows = declarations[experiment].data["methods"] if experiment in declarations else []
    return set.intersection(*({*row.get("parameters", {})} for row in rows)) if rows else set()


def runs_of(method: str, invariant: Invariant, cloth: bool, declarations: Mapping[str, Declaration]) -> list[str]:
    """The experiments that show the invariant of a method: those that declare it, or else those that it can join."""
    asked = _asked(invariant, cloth)
    own = [e for e in asked if e in declarations and method in {r["method"] for r in declarations[e].data["methods"]}]
    can_join = [e for e in asked if not _set_by_all_rows(e, declarations)]
    return own or (can_join if method not in invariant.not_of else [])


def entry(invariant: Invariant, traces: Sequence[Trace]) -> Entry:
    """The entry of one method from its cells: refused, broken off, or measured."""
    for trace in traces:
        if trace.status not in ("completed", "unsupported"):
            text = trace.status + (f": {trace.status_reason}" if trace.status_reason else "")
            return Entry(None, None, False, text, trace)
    completed = [t for t in traces if t.status == "completed"]
    if not completed:
        return Entry(None, reason=traces[0].status_reason or "not supported", trace=traces[0])
    try:
        found = invariant.reduce(completed)
    except MissingData as reason:
        lacking = [str(e.detail) for t in completed for e in t.events().itertuples() if e.kind == "channel_missing"]
        return Entry(None, reason=lacking[0] if lacking else str(reason), trace=traces[0], lacks=not lacking)
    if not math.isfinite(found.value):
        return Entry(None, found.bound, False, "not a number", found.trace)
    return Entry(found.value, found.bound, found.is_kept, "", found.trace)


@dataclass(frozen=True)
class Row:
    """A method, of tetrahedra or of cloth, with an entry for every invariant."""

    method: str
    name: str
    cloth: bool
    entries: dict[str, Entry]
    joined: bool = False  # by `run --method`, `--program` or `--plugin`: no row of the declarations

    @property
    def is_refused(self) -> bool:
        """Whether the method supports no such body at all."""
        traces = [e.trace for e in self.entries.values() if e.trace is not None]
        return all(t.status == "unsupported" for t in traces)


def cells_of(results: Results, experiment: str) -> ExperimentData:
    """The declared cells, and those of methods that joined by `run --method` or `--program`: a scorecard compares,
    and no verdict is judged from it."""
    data = results.with_joined(experiment)
    # What was run with --set is no longer the experiment that the others ran.
    return replace(data, cells=[c for c in data.cells if c.cell_id not in data.settings])


def rows(results: Results) -> list[Row]:
    """The scorecard: solids, then cloth; the declared methods in their order, then those that joined."""
    data = {e: cells_of(results, e) for e in EXPERIMENTS}
    found = []
    for cloth in (False, True):
        order: dict[str, Trace] = {}
        of_these = [e for e in EXPERIMENTS if is_of_cloth(e) == cloth]
        for experiment in of_these:
            for cell in sorted(data[experiment].cells, key=lambda c: _place(results, c)):
                if _short(experiment).startswith("scorecard_") or _has_joined(results, cell):
                    order.setdefault(cell.method_id, cell)
        declared = {c.method_id for e in of_these for c in data[e].cells if not _has_joined(results, c)}
        for method, cell in sorted(order.items(), key=lambda row: row[0] not in declared):
            entries = {i.key: _entry_of(i, data, method, cloth, results.declarations) for i in INVARIANTS}
            found.append(Row(method, cell.method_name, cloth, entries, method not in declared))
    served = {row.method for row in found if not row.is_refused}
    return [row for row in found if not row.is_refused or row.method not in served]


def _declared_names(results: Results, experiment: str) -> list[str]:
    declaration = results.declarations.get(experiment)
    return [str(m.get("name")) for m in declaration.data.get("methods", [])] if declaration is not None else []


def _place(results: Results, cell: Trace) -> tuple[int, str]:
    """Sort key: the method's row in the declaration; undeclared methods last."""
    names = _declared_names(results, cell.experiment)
    return (names.index(cell.method_name) if cell.method_name in names else len(names), cell.method_name)


def _has_joined(results: Results, cell: Trace) -> bool:
    """Whether it is no row of its declaration; False for an experiment without a declaration."""
    is_declared = cell.experiment in results.declarations
    return is_declared and cell.method_name not in _declared_names(results, cell.experiment)


def _entry_of(
    invariant: Invariant,
    data: Mapping[str, ExperimentData],
    method: str,
    cloth: bool,
    declarations: Mapping[str, Declaration],
) -> Entry:
    if cloth and invariant.not_of_cloth:
        return Entry(None, reason=invariant.not_of_cloth)
    asked = _asked(invariant, cloth)
    # By id: a cell that joined two of them is the same run.
    cells = {c.cell_id: c for e in asked for c in data[e].cells if c.method_id == method}
    if cells:
        return entry(invariant, list(cells.values()))
    can_run = runs_of(method, invariant, cloth, declarations)
    told = {p for e in asked for p in _set_by_all_rows(e, declarations)}
    why = "" if can_run else f": all of its rows set {', '.join(sorted(told))}, which defaults do not"
    reason = invariant.not_of.get(method) or f"{NOT_RUN} in {' or '.join(asked)}{why}"
    return Entry(None, reason=reason, lacks=bool(can_run))


def _register(invariant: Invariant, experiment: str, method: str) -> None:
    def number(data: ExperimentData) -> Measured:
        result = entry(invariant, data.some(method=method, status=None))
        if result.value is None:
            raise MissingData(result.reason)
        side = "kept" if result.kept else "not kept"
        return Measured(result.value, f"{side}: {invariant.bound}")

    number.__doc__ = invariant.definition + "."
    measurement(f"{_short(experiment)}.{invariant.key}_of_{method}", unit="1", experiment=experiment, of=method)(number)


_OF_SOLIDS = (
    "linear_fem",
    "warped_fem",
    "vertex_warped_fem",
    "explicit_fem",
    "implicit_fem",
    "invertible_fem",
    "vbd",
    "quasi_newton",
    "xpbd",
    "bullet_fem",
    "meshless",
    "pbd",
)
_EXPLICIT = ("explicit_fem", "invertible_fem")
for _invariant in INVARIANTS:
    for _experiment in _invariant.experiments:
        _methods: Sequence[str] = _OF_SOLIDS
        if is_of_cloth(_experiment):
            _methods = ("pbd", "xpbd", "force_cloth", "naive_pbd", "bullet_cloth")
        elif _experiment.endswith("order_explicit"):
            _methods = _EXPLICIT
        elif _experiment.endswith("order"):
            _methods = [m for m in _OF_SOLIDS if m not in (*_EXPLICIT, "meshless", "pbd")]
        elif _experiment == "cross/tangled_start":
            _methods = [m for m in _OF_SOLIDS if m not in ("bullet_fem", "pbd", "vbd", "quasi_newton")]
        elif _experiment in ("cross/scorecard_energy", "cross/scorecard_patch_forces"):
            _methods = _OF_SOLIDS[:-1]
        elif _experiment in ("cross/scorecard_landing", "cross/scorecard_resting"):
            _methods = [m for m in _OF_SOLIDS if m not in NO_LANDING]
        for _method in _methods:
            _register(_invariant, _experiment, _method)
