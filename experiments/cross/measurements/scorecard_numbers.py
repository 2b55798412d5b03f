# SPDX-License-Identifier: BSD-3-Clause
"""Numbers of the scorecard, each from one trace: the worst of all members, steps and vertices, dimensionless.

No method judges itself: positions, velocities and masses are judged with independent frequencies and forces.
Energies and elastic forces are the method's own, as nothing else provides them."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from deformbench_analysis.explicit_steps import material
from deformbench_analysis.mesh import deformation_gradients, lame, linear_forces, volumes
from deformbench_analysis.recovery import FreeBody
from deformbench_analysis.vocabulary import Array, MissingData, Trace

NEAR = 10.0  # times the initial displacements: exponential growth exceeds any such bound
MASS_ROUNDING = 1e-12  # of the sum of a few hundred masses
ORDER_WINDOW = 0.1  # of an observed order about a whole number, as in tests/methods


@dataclass(frozen=True)
class Found:
    """A number, the bound that it is held to, and the trace that it comes from."""

    value: float
    bound: float
    trace: Trace
    is_kept: bool

    @property
    def share(self) -> float:
        """Value/bound, to find the worst; not a number is the worst."""
        return (
            math.inf if math.isnan(self.value) or self.bound == 0 and self.value > 0 else self.value / (self.bound or 1)
        )


Reduce = Callable[[Sequence[Trace]], Found]


def _members(trace: Trace, channel: str) -> list[Array]:
    """Rows of every member, non-finite ones included, as NaN must not pass for small.
    MissingData if a run was cut short."""
    members = trace.series("step", channel).members()
    last = int(trace.value("schedule.steps", 0))
    for m in members:
        if last < 1 or not np.array_equal(m.step, np.arange(last + 1)):
            raise trace.missing(f"{len(m.step)} rows of {channel}, expected {last + 1}: every step")
    return [np.asarray(m.values, dtype=float) for m in members]


def _worst(found: Iterable[float]) -> float:
    """The largest; not a number if any is."""
    values = np.asarray(list(found), dtype=float)
    if not values.size:
        raise MissingData("nothing to compare")
    return math.nan if np.isnan(values).any() else float(values.max())


def _masses(trace: Trace) -> Array:
    """Masses of the vertices as the method has them, kg.

    Meshless nodes have masses of their own, and momentum is conserved with those."""
    members = _members(trace, "vertex_masses")
    own = np.asarray(members[0][0])
    if not all(np.array_equal(m, np.broadcast_to(own, m.shape)) for m in members):
        raise trace.missing("its masses change")
    total = float(trace.scene("masses").sum())
    if not abs(float(own.sum()) - total) <= MASS_ROUNDING * total:
        raise trace.missing(f"{float(own.sum()):g} kg, expected {total:g}")
    return own


def _diagonal(trace: Trace) -> float:
    rest = trace.scene("rest_positions")
    return float(np.linalg.norm(rest.max(axis=0) - rest.min(axis=0)))


def below(number: Callable[[Trace], float], bound: Callable[[Trace], float]) -> Reduce:
    """The worst trace of a number that must not exceed its bound."""

    def reduce(traces: Sequence[Trace]) -> Found:
        found = [Found(v, b, t, v <= b) for t in traces for v, b in [(number(t), bound(t))]]
        return max(found, key=lambda f: f.share)

    return reduce


def displacement(trace: Trace) -> float:
    """Largest displacement of a vertex from its start relative to the body's diagonal, all steps."""
    return _worst(np.linalg.norm(x - x[0], axis=2).max() for x in _members(trace, "positions")) / _diagonal(trace)


def fall(trace: Trace) -> float:
    """Largest of three errors, all vertices and steps: |v − gt|/|g|t; and relative to ½|g|t² the distance of the
    drop from the interval of the Euler sums ½n(n ∓ 1)|g|Δt², and the horizontal displacement."""
    gravity = np.asarray(trace.value("scene.parameters.gravity_m_s2"), dtype=float)
    times = [np.asarray(m.time) for m in trace.series("step", "velocities").members()]
    size = float(np.linalg.norm(gravity))
    step = trace.number("time_step_s")
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
    """Largest change of linear momentum relative to initial Σ m|v|, all steps."""
    masses = _masses(trace)
    return _worst(
        np.linalg.norm(np.einsum("v,rvk->rk", masses, v - v[0]), axis=1).max() / (masses @ np.linalg.norm(v[0], axis=1))
        for v in _members(trace, "velocities")
    )


def angular_drift(trace: Trace) -> float:
    """Largest change of angular momentum about the centre of mass relative to the start, all steps."""
    masses = _masses(trace)
    found = []
    for x, v in zip(_members(trace, "positions"), _members(trace, "velocities")):
        centred, moving = (a - (masses @ a)[:, None] / masses.sum() for a in (x, v))
        momentum = np.einsum("v,rvk->rk", masses, np.cross(centred, moving))
        found.append(np.linalg.norm(momentum - momentum[0], axis=1).max() / np.linalg.norm(momentum[0]))
    return _worst(found)


def energy_gain(trace: Trace) -> float:
    """Largest gain of total energy relative to the start, all steps."""
    return _worst((e - e[0]).max() / abs(e[0]) for e in _members(trace, "total_energy"))


def landing_gain(trace: Trace) -> float:
    """Largest gain of total energy since the start relative to gravity's work down to the lowest point."""
    energies, heights = _members(trace, "total_energy"), _members(trace, "gravitational_energy")
    return _worst((e - e[0]).max() / (h[0] - h.min()) for e, h in zip(energies, heights))


def excess_load(trace: Trace) -> float:
    """|√(U/U₀) − 1|, U the elastic energy, mean over the second half of the steps, U₀ = ρ²g²H³A/(6E) that of a column
    of height H and section A under its own weight."""
    rest = trace.scene("rest_positions")
    modulus, _, density = material(trace)
    extent = np.ptp(rest, axis=0)
    gravity = float(np.linalg.norm(np.asarray(trace.value("scene.parameters.gravity_m_s2"), dtype=float)))
    own = density**2 * gravity**2 * float(extent.prod()) * float(extent[1]) ** 2 / (6 * modulus)
    means = (e[len(e) // 2 :].mean() for e in _members(trace, "elastic_energy"))
    return _worst(abs(math.sqrt(max(mean, 0.0) / own) - 1) for mean in means)


def torsional_bound(trace: Trace) -> float:
    """Largest relative energy gain of a first-order scheme. Symplectic Euler conserves E + (h/2) v·∇Ψ to first order,
    h the longest (sub)step, and |v·∇Ψ| ≤ ΣωE over the modes. A uniformly twisted bar has energy shares
    8/(π(2k − 1))² in torsional modes of ω ≤ (2k − 1)(π/2L)√(μ/ρ), of which the mesh has one per layer of cells.
    """
    rest = trace.scene("rest_positions")
    modulus, ratio, density = material(trace)
    length = float(np.ptp(rest[:, 0]))
    layers = len(np.unique(np.round(rest[:, 0] / length, 9))) - 1
    first = 0.5 * math.pi / length * math.sqrt(lame(modulus, ratio)[1] / density)
    return 0.5 * _longest_step(trace) * first * 8 / math.pi**2 * sum(1 / (2 * k - 1) for k in range(1, layers + 1))


def kinetic_gain(trace: Trace) -> float:
    """Largest gain of kinetic energy, relative to the start, of a free body started at rest shape, all steps."""
    masses = _masses(trace)
    energies = [np.einsum("v,rvk,rvk->r", masses, v, v) for v in _members(trace, "velocities")]
    return _worst((e - e[0]).max() / e[0] for e in energies)


def _longest_step(trace: Trace) -> float:
    substeps = _members(trace, "substeps")
    return trace.number("time_step_s") / min(float(np.nanmin(s[1:])) for s in substeps)


def affine_gradient(trace: Trace) -> Array:
    """G of the affine map."""
    return np.asarray(trace.value("scene.parameters.displacement_gradient"), dtype=float).reshape(3, 3)


def off_the_map(trace: Trace) -> float:
    """Largest distance of a vertex from X + GX relative to max |GX|, all steps."""
    rest, gradient = trace.scene("rest_positions"), affine_gradient(trace)
    moved = rest @ gradient.T
    return _worst(
        np.linalg.norm(x - rest - moved, axis=2).max() / np.linalg.norm(moved, axis=1).max()
        for x in _members(trace, "positions")
    )


def force_error(trace: Trace) -> float:
    """Largest error of an elastic force against linear elasticity on the affine map,
    relative to the largest, all steps."""
    body = FreeBody.of(trace)
    moved = body.rest + body.rest @ affine_gradient(trace).T
    exact = linear_forces(body.rest, body.tetrahedra, moved, body.young_modulus, body.poisson_ratio)
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
            raise trace.missing("one run, a comparison needs two")
        for other in members[1:]:
            if other.shape != members[0].shape:
                return 1.0
            count += int((members[0].view(np.uint64) != np.ascontiguousarray(other).view(np.uint64)).sum())
            total += other.size
    return count / total


def ringing_error(trace: Trace) -> float:
    """Largest distance of a vertex from the exact dilation mode, relative to the amplitude there, all rows."""
    body = FreeBody.of(trace)
    rest = body.rest
    bulk = body.young_modulus / (3 * (1 - 2 * body.poisson_ratio))
    volume = float(np.abs(volumes(rest, body.tetrahedra)).sum())
    frequency = math.sqrt(9 * volume * bulk / float(body.masses @ (rest**2).sum(axis=1)))
    amplitude = float(np.asarray(trace.value("scene.parameters.initial_scale"), dtype=float)[0]) - 1
    x = trace.series("frame", "positions")
    exact = rest[None] * (1 + amplitude * np.cos(frequency * x.time))[:, None, None]
    return _worst((np.linalg.norm(x.values - exact, axis=2) / (amplitude * np.linalg.norm(rest, axis=1))).max(axis=1))


def observed_order(traces: Sequence[Trace]) -> Found:
    """The observed order between the two shortest steps."""
    by_step = sorted(traces, key=lambda t: t.number("time_step_s"))
    if len(by_step) < 2:
        raise MissingData(f"{traces[0].experiment}: one step, an order needs two")
    (fine, coarse) = by_step[:2]
    ratio = coarse.number("time_step_s") / fine.number("time_step_s")
    errors = ringing_error(coarse), ringing_error(fine)
    # The order is undefined if an error is zero or not a number.
    order = math.log(errors[0] / errors[1]) / math.log(ratio) if min(errors) > 0 else math.nan
    return Found(order, ORDER_WINDOW, fine, order > 0.5 and abs(order - round(order)) <= ORDER_WINDOW)


def principal_stretch(trace: Trace) -> float:
    """Largest |principal stretch − 1| of an element at the end,
    the smallest stretch being negative where it is inverted."""
    _, time, arrays = list(trace.frames(last=True))[-1]
    if time < float(trace.value("schedule.duration_s")) * (1 - 1e-9):
        raise MissingData(f"{trace.label}: has no frame at its end")
    gradient = deformation_gradients(trace.scene("rest_positions"), trace.scene("tetrahedra"), arrays["positions"])
    if not np.isfinite(gradient).all():
        return math.nan
    stretches = np.linalg.svd(gradient, compute_uv=False)
    stretches[:, 2] *= np.sign(np.linalg.det(gradient))
    return float(np.abs(stretches - 1).max())


def stable_step(traces: Sequence[Trace]) -> Found:
    """The longest (sub)step in units of 2/ω_max, kept where the body stays near its rest shape."""
    found = []
    for trace in traces:
        rest = trace.scene("rest_positions")
        far = [np.linalg.norm(x - rest, axis=2).max(axis=1) for x in _members(trace, "positions")]
        near = all(bool(np.isfinite(d).all() and d.max() <= NEAR * d[0]) for d in far)
        limit = FreeBody.of(trace).longest_step
        found.append(Found(_longest_step(trace) / limit, NEAR, trace, near))
    return min(found, key=lambda f: (f.is_kept, f.value))


def always(bound: float) -> Callable[[Trace], float]:
    """A bound that no trace changes."""
    return lambda _: bound
