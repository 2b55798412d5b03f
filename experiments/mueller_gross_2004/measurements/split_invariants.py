# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/split_invariants: a body that has just split against its whole twin.

Up to the first split the two runs are bitwise equal, so that in the row of the first split they differ by the split
alone."""

import numpy as np

from deformbench_analysis.corotational import Body, State, step_residuals
from deformbench_analysis.vocabulary import Array, Measures, Quantity, Trace, extremes, quantity, rows
from .broken_meshes import Frame, frame_at, frames, require_next

M = Measures("mueller_gross_2004/split_invariants")


def first_row(trace: Trace) -> int:
    """Row of the first step with a split."""
    return int(np.flatnonzero(trace.values("step", "split_count") > 0)[0])


def breaks(trace: Trace) -> bool:
    """Split at least once."""
    return bool((trace.values("step", "split_count") > 0).any())


def frames_at_split(broken: Trace, whole: Trace) -> tuple[Frame, Frame]:
    """Both, in the step of the first split."""
    step = int(broken.series("step", "split_count").step[first_row(broken)])
    return frame_at(broken, step), frame_at(whole, step)


def change(channel: str) -> Quantity:
    """|a − b| / |b|, norms of vectors, in the row of the first split."""

    def found(broken: Trace, whole: Trace) -> float:
        after, before = (np.atleast_1d(t.values("step", channel)[first_row(broken)]) for t in (broken, whole))
        return float(np.linalg.norm(after - before) / np.linalg.norm(before))

    return quantity(f"relative change of the {channel.replace('_', ' ')} by the splits of one step")(found)


@quantity(unit="Pa")
def stress_difference_of(broken: Trace, whole: Trace) -> Array:
    """Difference of any stress component of any element in the row of the first split."""
    after, before = (f.fields["element_stresses"] for f in frames_at_split(broken, whole))
    return extremes.finite(np.abs(after - before), broken.label)


def force_difference(broken: Trace, whole: Trace) -> Array:
    """|Σ forces on the parts of a vertex − force on the whole vertex| / largest force, first split."""
    after, before = frames_at_split(broken, whole)
    merged = np.zeros_like(before.fields["elastic_forces"])
    np.add.at(merged, after.parents, after.fields["elastic_forces"])
    scale = float(np.linalg.norm(before.fields["elastic_forces"], axis=1).max())
    off = np.linalg.norm(merged - before.fields["elastic_forces"], axis=1) / scale
    return extremes.finite(off, broken.label)


# the elements' stiffness as the step keeps it -----------------------------------------------------------------------


def stored(trace: Trace) -> Array:
    """Stored stiffness coefficients of every element, [row, element, 11]."""
    return np.asarray(trace.values("frame", "element_stored_stiffness"))


def stiffness_change(trace: Trace) -> Array:
    """Change, since before the first split, of any number that the method stores of an element's stiffness."""
    return np.asarray(np.abs(stored(trace) - stored(trace)[:1]))


def stiffness_error(trace: Trace) -> Array:
    """Entry of |stored Δt² K_e − Δt² V BᵀEB by the analysis| / largest entry of the element, last row."""
    body = Body.of(trace)
    kept = stored(trace)[-1]
    b = kept[:, :9].reshape(-1, 3, 3)
    b = np.concatenate([-b.sum(axis=1, keepdims=True), b], axis=1)  # √(cμV) ∇N of the four corners
    ratio, dots = kept[:, 10], np.einsum("mai,mbi->mab", b, b)
    blocks = (
        np.einsum("m,mai,mbj->maibj", ratio, b, b)
        + np.einsum("mbi,maj->maibj", b, b)
        + np.einsum("mab,ij->maibj", dots, np.eye(3))
    )
    expected = trace.number("time_step_s") ** 2 * body.stiffness
    scale = np.abs(expected).max(axis=(1, 2))
    errors = np.abs(blocks.reshape(-1, 12, 12) - expected).max(axis=(1, 2)) / scale
    return extremes.finite(errors, trace.label)


@quantity("|(M + Δt²K′) v⁺ − M v − Δt f| / (|M v⁺| + |Δt²K′ v⁺|) of a step after the first split")
def step_residual(trace: Trace) -> Array:
    """Assembled from the K_e of the first mesh and the current connectivity."""
    body = Body.of(trace)
    density, time_step = (trace.number(n) for n in ("density_kg_m3", "time_step_s"))
    first = int(trace.series("step", "split_count").step[first_row(trace)])
    before = None
    residuals: list[float] = []
    for frame in frames(trace):
        if before is not None and before.step >= first:
            require_next(trace, before, frame)
            x = before.field("positions")
            state = State(x, before.field("velocities"), before.tetrahedra)  # split-off vertices come after these
            free, none = np.ones(len(x), dtype=bool), np.zeros_like(x)
            residuals.append(
                step_residuals(body, state, frame.field("velocities")[: len(x)], none, free, density, time_step)[0]
            )
        before = frame
    return extremes.finite(residuals, f"{M.experiment}: {trace.label}")


# energy after the splits --------------------------------------------------------------------------------------------


def inner_energy(trace: Trace) -> Array:
    """Elastic energy and that of the motion about the centre of mass, J, of every row."""
    mass = float(trace.scene("masses").sum())
    moved = (trace.values("step", "linear_momentum") ** 2).sum(axis=1) / (2 * mass)
    return np.asarray(trace.values("step", "kinetic_energy") + trace.values("step", "elastic_energy") - moved)


def largest_rise(energy: Array) -> float:
    """Largest energy / its running minimum, minus 1."""
    return float((energy / np.minimum.accumulate(energy)).max() - 1)


def rise_over_twin(broken: Trace, whole: Trace) -> float:
    """Relative energy rise above its minimum since the first split, minus that without fracture."""
    row = first_row(broken)
    return largest_rise(inner_energy(broken)[row:]) - largest_rise(inner_energy(whole)[row:])


# The row without fracture has no threshold; its sweep repeats it for each one.
BROKEN = (
    rows(says="runs that broke")
    .where(lambda c: c.value("method.parameters.fracture") != "none", says="")
    .having(breaks, says="")
)
PAIRS = BROKEN.beside(rows("whole"), lambda c: c.coordinates, says="")
UNNAMED = PAIRS.noted(lambda *_: "")

M.total(
    "splits",
    quantity("vertex splits in the first step with any")(lambda c: c.values("step", "split_count")[first_row(c)]),
    BROKEN,
)
M.largest("kinetic_energy_change", change("kinetic_energy"), PAIRS)
M.largest("elastic_energy_change", change("elastic_energy"), PAIRS)
stress_difference = M.largest("stress_difference", stress_difference_of, UNNAMED)
merged_force_difference = M.largest("merged_force_difference", force_difference, UNNAMED)
M.largest("stored_stiffness_change", stiffness_change, BROKEN.noted(lambda _: ""))
M.largest("stored_stiffness_error", stiffness_error, BROKEN.noted(lambda _: ""))
M.largest("step_residual", step_residual, BROKEN)
M.largest("energy_rise_over_twin", rise_over_twin, PAIRS)
