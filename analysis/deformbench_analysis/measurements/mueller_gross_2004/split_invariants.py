# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/split_invariants: a body that has just split beside its twin that may not.

Up to the first split the two runs have the same bits, so that in the row of the first split they differ by the split alone.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ... import extremes
from ...arrays import Array
from ...corotational import Body, State, step_residuals
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .broken_meshes import frame_at, frames

EXPERIMENT = "mueller_gross_2004/split_invariants"


def first_row(trace: Trace) -> int | None:
    """Row of the clock step that is the first with a split."""
    rows = np.flatnonzero(trace.values("step", "split_count") > 0)
    return int(rows[0]) if rows.size else None


def pairs(data: ExperimentData) -> Iterator[tuple[Trace, Trace, int]]:
    """(broken, whole, row of the first split): the same scene, both criteria, all thresholds that broke it."""
    for broken in data.some(keep=lambda c: c.value("method.parameters.fracture") != "none"):
        row = first_row(broken)
        if row is None:
            continue
        # The threshold of the sweep means nothing to a body that stays whole: any of its cells will do.
        yield broken, data.some(name="whole", keep=lambda c: c.value("scene") == broken.value("scene"))[0], row


def compared(data: ExperimentData) -> list[tuple[Trace, Trace, int]]:
    """All of `pairs`; MissingData when nothing was split."""
    found = list(pairs(data))
    if not found:
        raise MissingData(f"{EXPERIMENT} at tier {data.tier}: nothing was split")
    return found


def _worst_change(data: ExperimentData, channel: str) -> Measured:
    """Largest |a − b| over |b|, norms of vectors, and the run where it is."""
    changes = {}
    for broken, whole, row in compared(data):
        after, before = (np.atleast_1d(t.values("step", channel)[row]) for t in (broken, whole))
        changes[broken.label] = float(np.linalg.norm(after - before) / np.linalg.norm(before))
    return extremes.largest(changes)


@measurement("split_invariants.splits", unit="1", experiment=EXPERIMENT)
def splits(data: ExperimentData) -> float:
    """Number of vertex splits in the first steps that split, which the other measurements compare, all runs."""
    return float(sum(b.values("step", "split_count")[row] for b, _, row in compared(data)))


@measurement("split_invariants.kinetic_energy_change", unit="1", experiment=EXPERIMENT)
def kinetic_energy_change(data: ExperimentData) -> Measured:
    """Largest relative change of the kinetic energy by the splits of one step."""
    return _worst_change(data, "kinetic_energy")


@measurement("split_invariants.elastic_energy_change", unit="1", experiment=EXPERIMENT)
def elastic_energy_change(data: ExperimentData) -> Measured:
    """Largest relative change of the elastic energy by the splits of one step."""
    return _worst_change(data, "elastic_energy")


@measurement("split_invariants.stress_difference", unit="Pa", experiment=EXPERIMENT)
def stress_difference(data: ExperimentData) -> float:
    """Largest difference of any stress component of any element in the row of the first split."""
    found: list[float] = []
    for broken, whole, row in compared(data):
        step = int(broken.series("step", "split_count").step[row])
        found.append(
            float(
                np.abs(
                    frame_at(broken, step).fields["element_stresses"] - frame_at(whole, step).fields["element_stresses"]
                ).max()
            )
        )
    return float(extremes.finite(found, EXPERIMENT).max())


@measurement("split_invariants.merged_force_difference", unit="1", experiment=EXPERIMENT)
def merged_force_difference(data: ExperimentData) -> float:
    """Largest |Σ forces on the parts of a vertex − force on the whole vertex| over the largest force, row of the first
    split."""
    found: list[float] = []
    for broken, whole, row in compared(data):
        step = int(broken.series("step", "split_count").step[row])
        after, before = frame_at(broken, step), frame_at(whole, step)
        merged = np.zeros_like(before.fields["elastic_forces"])
        np.add.at(merged, after.parents, after.fields["elastic_forces"])
        scale = float(np.linalg.norm(before.fields["elastic_forces"], axis=1).max())
        found.append(float(np.linalg.norm(merged - before.fields["elastic_forces"], axis=1).max()) / scale)
    return float(extremes.finite(found, EXPERIMENT).max())


# the elements' stiffness as the step keeps it ---------------------------------------------------------------------------


def stored(trace: Trace) -> Array:
    """What the step keeps of every element's stiffness, [row, element, 11]."""
    return np.asarray(trace.values("frame", "element_stored_stiffness"))


@measurement("split_invariants.stored_stiffness_change", unit="1", experiment=EXPERIMENT)
def stored_stiffness_change(data: ExperimentData) -> float:
    """Largest change, since before the first split, of any number that the method stores of an element's stiffness,
    all rows and runs that broke."""
    return float(np.max([float(np.abs(stored(broken) - stored(broken)[:1]).max()) for broken, _, _ in compared(data)]))


@measurement("split_invariants.stored_stiffness_error", unit="1", experiment=EXPERIMENT)
def stored_stiffness_error(data: ExperimentData) -> float:
    """Largest difference of an entry of Δt² K_e between the numbers that the method stores and V BᵀEB by the analysis,
    over the element's largest entry, last row of runs that broke."""
    found: list[float] = []
    for broken, _, _ in compared(data):
        body = Body.of(broken)
        kept = stored(broken)[-1]
        b = kept[:, :9].reshape(-1, 3, 3)
        b = np.concatenate([-b.sum(axis=1, keepdims=True), b], axis=1)  # √(cμV) ∇N of the four corners
        ratio, dots = kept[:, 10], np.einsum("mai,mbi->mab", b, b)
        blocks = (
            np.einsum("m,mai,mbj->maibj", ratio, b, b)
            + np.einsum("mbi,maj->maibj", b, b)
            + np.einsum("mab,ij->maibj", dots, np.eye(3))
        )
        expected = float(broken.value("scene.parameters.time_step_s")) ** 2 * body.stiffness
        scale = np.abs(expected).max(axis=(1, 2))
        found.append(float((np.abs(blocks.reshape(-1, 12, 12) - expected).max(axis=(1, 2)) / scale).max()))
    return float(extremes.finite(found, EXPERIMENT).max())


@measurement("split_invariants.step_residual", unit="1", experiment=EXPERIMENT)
def step_residual(data: ExperimentData) -> Measured:
    """Largest |(M + Δt²K′) v⁺ − M v − Δt f| over |M v⁺| + |Δt²K′ v⁺| of any step after the first split, assembled by
    the analysis from the K_e of the first mesh and the current connectivity."""
    found: dict[str, float] = {}
    for broken, _, row in compared(data):
        body = Body.of(broken)
        density, time_step = (float(broken.value(f"scene.parameters.{n}")) for n in ("density_kg_m3", "time_step_s"))
        first = int(broken.series("step", "split_count").step[row])
        before = None
        residuals: list[float] = []
        for frame in frames(broken):
            if before is not None and before.step >= first:
                if frame.step != before.step + 1:
                    raise MissingData(
                        f"{EXPERIMENT}: {broken.label}: frames of steps {before.step} and {frame.step}, expected every step"
                    )
                x = before.field("positions")
                state = State(
                    x, before.field("velocities"), before.tetrahedra
                )  # vertices that split off come after these
                free, none = np.ones(len(x), dtype=bool), np.zeros_like(x)
                residuals.append(
                    step_residuals(body, state, frame.field("velocities")[: len(x)], none, free, density, time_step)[0]
                )
            before = frame
        found[broken.label] = float(extremes.finite(residuals, f"{EXPERIMENT}: {broken.label}").max())
    return extremes.largest(found)


# energy after the splits ------------------------------------------------------------------------------------------------


def inner_energy(trace: Trace) -> Array:
    """Elastic energy and that of the motion about the centre of mass, J, of every row."""
    mass = float(trace.scene("masses").sum())
    moved = (trace.values("step", "linear_momentum") ** 2).sum(axis=1) / (2 * mass)
    return np.asarray(trace.values("step", "kinetic_energy") + trace.values("step", "elastic_energy") - moved)


def largest_rise(energy: Array) -> float:
    """Largest energy over the least one before it, minus 1."""
    return float((energy / np.minimum.accumulate(energy)).max() - 1)


@measurement("split_invariants.energy_rise_over_twin", unit="1", experiment=EXPERIMENT)
def energy_rise_over_twin(data: ExperimentData) -> Measured:
    """Largest difference between the rise of the energy above its lowest value since the first split and the rise over
    the same rows of the same body without fracture: what splits add."""
    rises = {
        b: largest_rise(inner_energy(b)[row:]) - largest_rise(inner_energy(w)[row:]) for b, w, row in compared(data)
    }
    return extremes.largest(rises)
