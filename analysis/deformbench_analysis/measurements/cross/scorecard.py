# SPDX-License-Identifier: BSD-3-Clause
"""The scorecard: how far every method departs from what each of them owes. A row is a method, a column an invariant; an entry is
one number without dimension, the worst of all rows of the trace, with the bound that it is held to and where that comes from.

Nothing here asks a method about itself: positions, velocities and masses are judged, with frequencies and forces of our own.
Energies and elastic forces are the method's, as no other has them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ...arrays import Array
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...mesh import deformation_gradients, lame, linear_forces, volumes
from ...recovery import FreeBody
from ...results import ExperimentData, Results
from ...trace import Trace

SOLVED = 1e-10  # what linear solvers leave by default, relative: a method may not be judged finer than it solves
DRIFT = 1e-9  # of momentum: a hundred steps, each with what a solver leaves, and a decade
RECOVERED = 0.01  # |principal stretch − 1|, as in cs6967_assignment_2/inversion_recovery
NEAR = 10.0  # times the displacements at the start: what grows in every step passes any such bound
SECOND_ORDER = 10.0  # times the strain: laws of elasticity differ from Hooke's by terms of second order
ORDER_WINDOW = 0.1  # of an observed order about a whole number, as in tests/methods


@dataclass(frozen=True)
class Entry:
    """One number of the scorecard. Without a number: not applicable or not run where `kept` is None, else broken off."""

    value: float | None
    bound: float | None = None
    kept: bool | None = None
    reason: str = ""
    trace: Trace | None = None


@dataclass(frozen=True)
class Found:
    """A number, the bound that it is held to, and the trace that it comes from."""

    value: float
    bound: float
    trace: Trace
    is_kept: bool

    @property
    def share(self) -> float:
        """Value over bound, to find the worst; what is not a number is worst."""
        return (
            math.inf if math.isnan(self.value) or self.bound == 0 and self.value > 0 else self.value / (self.bound or 1)
        )


Reduce = Callable[[Sequence[Trace]], Found]


@dataclass(frozen=True)
class Invariant:
    """A column: what the number is, the bound in words, the experiments whose traces show it, and what it has not to do with."""

    key: str
    title: str
    definition: str
    short: str  # the bound, as a heading has room for it
    bound: str
    experiments: tuple[str, ...]
    reduce: Reduce
    not_of_cloth: str = ""  # why a cloth has no such entry
    not_of: Mapping[str, str] = field(default_factory=dict)  # by method: why it does not run the experiments


def _members(trace: Trace, channel: str) -> list[Array]:
    """Rows of every member, finite ones or not: what is not a number must not pass for small."""
    return [np.asarray(m.values, dtype=float) for m in trace.series("step", channel).members()]


def _worst(found: Iterable[float]) -> float:
    """The largest; not a number if any is."""
    values = np.asarray(list(found), dtype=float)
    if not values.size:
        raise MissingData("nothing to compare")
    return math.nan if np.isnan(values).any() else float(values.max())


def _diagonal(trace: Trace) -> float:
    rest = trace.scene("rest_positions")
    return float(np.linalg.norm(rest.max(axis=0) - rest.min(axis=0)))


def _below(number: Callable[[Trace], float], bound: Callable[[Trace], float]) -> Reduce:
    """The worst trace of a number that must not exceed its bound."""

    def reduce(traces: Sequence[Trace]) -> Found:
        found = [Found(v, b, t, v <= b) for t in traces for v, b in [(number(t), bound(t))]]
        return max(found, key=lambda f: f.share)

    return reduce


def displacement(trace: Trace) -> float:
    """Largest distance of a vertex from where it started, over the diagonal of the body, all steps."""
    return _worst(np.linalg.norm(x - x[0], axis=2).max() for x in _members(trace, "positions")) / _diagonal(trace)


def fall(trace: Trace) -> float:
    """The larger of two errors, all vertices and steps: |v − gt| over |g|t, and over ½|g|t² how far the drop is outside of the two
    Euler sums ½n(n ∓ 1)|g|Δt², or the displacement aside from the vertical."""
    gravity = np.asarray(trace.value("scene.parameters.gravity_m_s2"), dtype=float)
    times = [np.asarray(m.time) for m in trace.series("step", "velocities").members()]
    size = float(np.linalg.norm(gravity))
    step = float(trace.value("scene.parameters.time_step_s"))
    errors = []
    for t, v, x in zip(times, _members(trace, "velocities"), _members(trace, "positions")):
        t, v, moved = t[1:, None], v[1:], x[1:] - x[0]
        errors.append((np.linalg.norm(v - t[:, :, None] * gravity, axis=2) / (size * t)).max())
        drop = moved @ gravity / size
        half = 0.5 * size * t * t  # the Euler sums are half (1 ∓ Δt/t)
        errors.append((np.abs(drop / half - 1) - step / t).max())
        errors.append((np.linalg.norm(moved - drop[:, :, None] * gravity / size, axis=2) / half).max())
    return _worst(errors)


def linear_drift(trace: Trace) -> float:
    """Largest change of the linear momentum over Σ m|v| of the start, all steps."""
    masses = trace.scene("masses")
    return _worst(
        np.linalg.norm(np.einsum("v,rvk->rk", masses, v - v[0]), axis=1).max() / (masses @ np.linalg.norm(v[0], axis=1))
        for v in _members(trace, "velocities")
    )


def angular_drift(trace: Trace) -> float:
    """Largest change of the angular momentum about the centre of mass over that of the start, all steps."""
    masses = trace.scene("masses")
    found = []
    for x, v in zip(_members(trace, "positions"), _members(trace, "velocities")):
        centred, moving = (a - (masses @ a)[:, None] / masses.sum() for a in (x, v))
        momentum = np.einsum("v,rvk->rk", masses, np.cross(centred, moving))
        found.append(np.linalg.norm(momentum - momentum[0], axis=1).max() / np.linalg.norm(momentum[0]))
    return _worst(found)


def energy_gain(trace: Trace) -> float:
    """Largest gain of total energy over that of the start, all steps."""
    return _worst((e - e[0]).max() / abs(e[0]) for e in _members(trace, "total_energy"))


def torsional_bound(trace: Trace) -> float:
    """What a scheme of first order may make, over the energy of the start. Symplectic Euler keeps E + (h/2) v·∇Ψ, h the longest
    (sub)step, to first order, and |v·∇Ψ| ≤ ΣωE over the modes. A bar twisted evenly has the shares 8/π²(2k − 1)² in its torsional
    modes ω = (2k − 1)(π/2L)√(μ/ρ), of which the mesh has one for each layer of cells."""
    rest = trace.scene("rest_positions")
    modulus, ratio, density = (
        float(trace.value(f"scene.parameters.{k}")) for k in ("young_modulus_pa", "poisson_ratio", "density_kg_m3")
    )
    length = float(np.ptp(rest[:, 0]))
    layers = len(np.unique(np.round(rest[:, 0] / length, 9))) - 1
    first = 0.5 * math.pi / length * math.sqrt(lame(modulus, ratio)[1] / density)
    return 0.5 * _longest_step(trace) * first * 8 / math.pi**2 * sum(1 / (2 * k - 1) for k in range(1, layers + 1))


def kinetic_gain(trace: Trace) -> float:
    """Largest gain of kinetic energy of a free body that starts at rest shape over that of the start, all steps."""
    masses = trace.scene("masses")
    energies = [np.einsum("v,rvk,rvk->r", masses, v, v) for v in _members(trace, "velocities")]
    return _worst((e - e[0]).max() / e[0] for e in energies)


def _longest_step(trace: Trace) -> float:
    substeps = _members(trace, "substeps")
    return float(trace.value("scene.parameters.time_step_s")) / min(float(np.nanmin(s[1:])) for s in substeps)


def _gradient(trace: Trace) -> Array:
    return np.asarray(trace.value("scene.parameters.displacement_gradient"), dtype=float).reshape(3, 3)


def off_the_map(trace: Trace) -> float:
    """Largest distance of a vertex from X + GX over the largest |GX|, all steps."""
    rest, gradient = trace.scene("rest_positions"), _gradient(trace)
    moved = rest @ gradient.T
    return _worst(
        np.linalg.norm(x - rest - moved, axis=2).max() / np.linalg.norm(moved, axis=1).max()
        for x in _members(trace, "positions")
    )


def force_error(trace: Trace) -> float:
    """Largest difference between a vertex's elastic force and Hooke's on the affine map, over the largest of these, all steps."""
    rest = trace.scene("rest_positions")
    modulus, ratio = (float(trace.value(f"scene.parameters.{k}")) for k in ("young_modulus_pa", "poisson_ratio"))
    exact = linear_forces(rest, trace.scene("tetrahedra"), rest + rest @ _gradient(trace).T, modulus, ratio)
    return _worst(
        np.linalg.norm(f - exact, axis=2).max() / np.linalg.norm(exact, axis=1).max()
        for f in _members(trace, "elastic_forces")
    )


def differing(trace: Trace) -> float:
    """Share of the positions and velocities whose bits differ between two runs of the same cell, all steps."""
    count = total = 0
    for channel in ("positions", "velocities"):
        members = _members(trace, channel)
        if len(members) < 2:
            raise MissingData(f"{trace.experiment}: {trace.label}: one run, a comparison needs two")
        for other in members[1:]:
            if other.shape != members[0].shape:
                return 1.0
            count += int((members[0].view(np.uint64) != np.ascontiguousarray(other).view(np.uint64)).sum())
            total += other.size
    return count / total


def ringing_error(trace: Trace) -> float:
    """Largest difference of a vertex from the exact swing of the dilation, over the amplitude there, all rows."""
    rest, masses = trace.scene("rest_positions"), trace.scene("masses")
    modulus, ratio = (float(trace.value(f"scene.parameters.{k}")) for k in ("young_modulus_pa", "poisson_ratio"))
    bulk = modulus / (3 * (1 - 2 * ratio))
    volume = float(np.abs(volumes(rest, trace.scene("tetrahedra"))).sum())
    frequency = math.sqrt(9 * volume * bulk / float(masses @ (rest**2).sum(axis=1)))
    amplitude = float(np.asarray(trace.value("scene.parameters.initial_scale"), dtype=float)[0]) - 1
    x = trace.series("frame", "positions")
    exact = rest[None] * (1 + amplitude * np.cos(frequency * x.time))[:, None, None]
    return _worst((np.linalg.norm(x.values - exact, axis=2) / (amplitude * np.linalg.norm(rest, axis=1))).max(axis=1))


def _order(traces: Sequence[Trace]) -> Found:
    """The observed order between the two shortest steps."""
    by_step = sorted(traces, key=lambda t: float(t.value("scene.parameters.time_step_s")))
    if len(by_step) < 2:
        raise MissingData(f"{traces[0].experiment}: one step, an order needs two")
    (fine, coarse) = by_step[:2]
    ratio = float(coarse.value("scene.parameters.time_step_s")) / float(fine.value("scene.parameters.time_step_s"))
    errors = ringing_error(coarse), ringing_error(fine)
    # Of no error at all there is no order, and none where one is not a number.
    order = math.log(errors[0] / errors[1]) / math.log(ratio) if min(errors) > 0 else math.nan
    return Found(order, ORDER_WINDOW, fine, order > 0.5 and abs(order - round(order)) <= ORDER_WINDOW)


def principal_stretch(trace: Trace) -> float:
    """Largest |principal stretch − 1| of an element at the end, the smallest stretch being negative where it is inverted."""
    _, time, arrays = list(trace.frames(last=True))[-1]
    if time < float(trace.value("schedule.duration_s")) * (1 - 1e-9):
        raise MissingData(f"{trace.label}: has no frame at its end")
    gradient = deformation_gradients(trace.scene("rest_positions"), trace.scene("tetrahedra"), arrays["positions"])
    if not np.isfinite(gradient).all():
        return math.nan
    stretches = np.linalg.svd(gradient, compute_uv=False)
    stretches[:, 2] *= np.sign(np.linalg.det(gradient))
    return float(np.abs(stretches - 1).max())


def _stable_step(traces: Sequence[Trace]) -> Found:
    """The longest (sub)step in units of 2/ω_max, kept where the body stays near its rest shape."""
    found = []
    for trace in traces:
        rest = trace.scene("rest_positions")
        far = [np.linalg.norm(x - rest, axis=2).max(axis=1) for x in _members(trace, "positions")]
        near = all(bool(np.isfinite(d).all() and d.max() <= NEAR * d[0]) for d in far)
        limit = FreeBody.of(trace).longest_step
        found.append(Found(_longest_step(trace) / limit, NEAR, trace, near))
    return min(found, key=lambda f: (f.is_kept, f.value))


def _is(bound: float) -> Callable[[Trace], float]:
    return lambda _: bound


_SOLIDS = "cross/scorecard_"
_CLOTH = "cross/scorecard_cloth_"


def _both(name: str) -> tuple[str, str]:
    return _SOLIDS + name, _CLOTH + name


INVARIANTS: tuple[Invariant, ...] = (
    Invariant(
        "rest",
        "rest",
        "A free body at rest: largest displacement of a vertex over the body's diagonal, 100 steps",
        "≤ 10⁻¹⁰",
        f"{SOLVED:g}: what linear solvers leave by default",
        _both("rest"),
        _below(displacement, _is(SOLVED)),
    ),
    Invariant(
        "free_fall",
        "free fall",
        "A free body falls: largest |v − gt|/|g|t of a vertex, or the distance of its drop from the stretch between the two Euler "
        "sums over ½|g|t²",
        "≤ 10⁻⁹",
        f"{DRIFT:g}: a hundred steps of such solves, and a decade",
        _both("free_fall"),
        _below(fall, _is(DRIFT)),
    ),
    Invariant(
        "linear_momentum",
        "linear\nmomentum",
        "A free body flies and spins: largest change of Σmv over Σm|v| of the start",
        "≤ 10⁻⁹",
        f"{DRIFT:g}: as for free fall",
        _both("momenta"),
        _below(linear_drift, _is(DRIFT)),
    ),
    Invariant(
        "angular_momentum",
        "angular\nmomentum",
        "The same body: largest relative change of the angular momentum about the centre of mass",
        "≤ 10⁻⁹",
        f"{DRIFT:g}: as for free fall; implicit Euler takes (ωΔt)² of a spin in every step",
        _both("momenta"),
        _below(angular_drift, _is(DRIFT)),
    ),
    Invariant(
        "energy",
        "energy\nmade",
        "A twisted bar is let go: largest gain of its total energy over that of the start",
        "≤ ½hΣωE/E",
        "½hΣωE/E of its torsional modes, h the (sub)step: by so much the energy that symplectic Euler keeps may differ from the true one",
        (_SOLIDS + "energy",),
        _below(energy_gain, torsional_bound),
        "constraints without compliance store no energy: see kinetic energy",
    ),
    Invariant(
        "kinetic_energy",
        "kinetic\nenergy made",
        "The body that flies and spins, from its rest shape: largest gain of its kinetic energy over that of the start",
        "≤ 10⁻⁹",
        f"{DRIFT:g}: as for free fall; it has no other energy to draw on",
        _both("momenta"),
        _below(kinetic_gain, _is(DRIFT)),
    ),
    Invariant(
        "patch",
        "patch test:\nmap",
        "A block whose boundary is held on the affine map X + GX, and which starts there: largest distance of a vertex from the map over "
        "the largest |GX|, 20 steps",
        "≤ 10⁻⁹",
        f"{DRIFT:g}: as for free fall",
        (_SOLIDS + "patch",),
        _below(off_the_map, _is(DRIFT)),
        "a cloth of constraints has no stress to be constant",
    ),
    Invariant(
        "patch_forces",
        "patch test:\nforces",
        "The same block: largest difference of the elastic force on a vertex from Hooke's of the same material, over the largest of these",
        "≤ 10 max |G|",
        f"{SECOND_ORDER:g} max |G|: laws of elasticity differ by terms of second order",
        (_SOLIDS + "patch_forces",),
        _below(force_error, lambda t: SECOND_ORDER * float(np.abs(_gradient(t)).max())),
        "a cloth of constraints has no stress to be constant",
    ),
    Invariant(
        "rotation",
        "rotation",
        "A free body at rest that starts turned by 100°: largest displacement of a vertex over the body's diagonal, 100 steps",
        "≤ 10⁻¹⁰",
        f"{SOLVED:g}: as for rest",
        _both("turned"),
        _below(displacement, _is(SOLVED)),
    ),
    Invariant(
        "determinism",
        "two runs\ndiffer in",
        "The body that flies and spins, run twice in one process: share of positions and velocities whose bits differ",
        "= 0",
        "0: not one bit",
        _both("momenta"),
        _below(differing, _is(0.0)),
    ),
    Invariant(
        "order",
        "order of\nconvergence",
        "A tetrahedron rings in its dilation mode, with Δt = 0.1 and 0.05 ms: observed order of its largest error against the exact swing",
        "1, 2 … ± 0.1",
        f"a whole number of 1 or more, within {ORDER_WINDOW:g}",
        (_SOLIDS + "order", _SOLIDS + "order_explicit"),
        _order,
        "no exact swing of a cloth of constraints is known",
        {"pbd": "how stiff its constraints are depends on Δt, so that there is no swing to converge to"},
    ),
    Invariant(
        "recovery",
        "inversion\nrecovery",
        "A block that starts tangled, one start for all, after 1 s: largest |principal stretch − 1| of an element, the smallest stretch being negative where it "
        "is inverted (at the end alone)",
        "≤ 0.01",
        f"{RECOVERED:g}: as in inversion_recovery of CS 6967",
        ("cross/tangled_start",),
        _below(principal_stretch, _is(RECOVERED)),
        "a triangle in space has no inverted state",
        {"pbd": "not run: cross/tangled_start compares elastic energies, and it has none"},
    ),
    Invariant(
        "step",
        "stable step\n[2/ω_max]",
        "A block displaced by 0.1 mm takes steps of 0.1 s: longest (sub)step that was taken, in units of the longest stable explicit one",
        "stays near",
        f"kept where no vertex is ever farther from rest than {NEAR:g} times the largest displacement at the start",
        (_SOLIDS + "step",),
        _stable_step,
        "the longest explicit step of rigid constraints is 0",
    ),
)

EXPERIMENTS: tuple[str, ...] = tuple(dict.fromkeys(e for i in INVARIANTS for e in i.experiments))


def is_of_cloth(experiment: str) -> bool:
    """Whether the experiment runs a cloth."""
    return experiment.startswith(_CLOTH)


def entry(invariant: Invariant, traces: Sequence[Trace]) -> Entry:
    """The entry of one method from its cells: refused, broken off, or measured."""
    for trace in traces:
        if trace.status == "unsupported":
            return Entry(None, reason=trace.status_reason or "not supported", trace=trace)
    for trace in traces:
        if trace.status != "completed":
            text = trace.status + (f": {trace.status_reason}" if trace.status_reason else "")
            return Entry(None, None, False, text, trace)
    try:
        found = invariant.reduce(traces)
    except MissingData as reason:
        return Entry(None, reason=str(reason), trace=traces[0])
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


def cells_of(results: Results, experiment: str) -> ExperimentData:
    """The declared cells, and those of methods that joined by `run --method` or `--program` where the results can list them:
    a scorecard compares, and no verdict is judged from it."""
    with_joined: Callable[[str], ExperimentData] = getattr(results, "with_joined", results.experiment)
    data = with_joined(experiment)
    changed: Mapping[str, object] = getattr(
        data, "settings", {}
    )  # by --set: no longer the experiment that the others ran
    return replace(data, cells=[c for c in data.cells if c.cell_id not in changed])


def rows(results: Results) -> list[Row]:
    """The scorecard: solids, then cloth; the declared methods in their order, then those that joined."""
    data = {e: cells_of(results, e) for e in EXPERIMENTS}
    found = []
    for cloth in (False, True):
        order: dict[str, str] = {}
        for experiment in (e for e in EXPERIMENTS if e.startswith(_SOLIDS) and is_of_cloth(e) == cloth):
            for cell in sorted(data[experiment].cells, key=lambda c: _place(results, experiment, c)):
                order.setdefault(cell.method_id, cell.method_name)
        for method, name in order.items():
            entries = {i.key: _entry_of(i, data, method, cloth) for i in INVARIANTS}
            found.append(Row(method, name, cloth, entries))
    return found


def _place(results: Results, experiment: str, cell: Trace) -> tuple[int, str]:
    """The method's row in the declaration; behind all of them where it has none."""
    declaration = results.declarations.get(experiment)
    names = [str(m.get("name")) for m in declaration.data.get("methods", [])] if declaration is not None else []
    return (names.index(cell.method_name) if cell.method_name in names else len(names), cell.method_name)


def _entry_of(invariant: Invariant, data: dict[str, ExperimentData], method: str, cloth: bool) -> Entry:
    if cloth and invariant.not_of_cloth:
        return Entry(None, reason=invariant.not_of_cloth)
    asked = [e for e in invariant.experiments if is_of_cloth(e) == cloth]
    cells = [c for e in asked for c in data[e].cells if c.method_id == method]
    if not cells:
        return Entry(None, reason=invariant.not_of.get(method) or f"not run in {' or '.join(asked)}")
    return entry(invariant, cells)


def _register(invariant: Invariant, experiment: str, method: str) -> None:
    def number(data: ExperimentData) -> Measured:
        result = entry(invariant, data.some(method=method, status=None))
        if result.value is None:
            raise MissingData(result.reason)
        side = "kept" if result.kept else "not kept"
        return Measured(result.value, f"{side}: {invariant.bound}")

    number.__doc__ = invariant.definition + "."
    short = experiment.rsplit("/", 1)[-1]
    measurement(f"{short}.{invariant.key}_of_{method}", unit="1", experiment=experiment, of=method)(number)


_OF_SOLIDS = (
    "linear_fem",
    "warped_fem",
    "vertex_warped_fem",
    "explicit_fem",
    "implicit_fem",
    "invertible_fem",
    "xpbd",
    "pbd",
)
_EXPLICIT = ("explicit_fem", "invertible_fem")
for _invariant in INVARIANTS:
    for _experiment in _invariant.experiments:
        _methods: Sequence[str] = _OF_SOLIDS
        if is_of_cloth(_experiment):
            _methods = ("pbd", "xpbd", "naive_pbd")
        elif _experiment.endswith("order_explicit"):
            _methods = _EXPLICIT
        elif _experiment.endswith("order"):
            _methods = [m for m in _OF_SOLIDS if m not in (*_EXPLICIT, "pbd")]
        elif _experiment in ("cross/scorecard_energy", "cross/scorecard_patch_forces", "cross/tangled_start"):
            _methods = _OF_SOLIDS[:-1]
        for _method in _methods:
            _register(_invariant, _experiment, _method)
