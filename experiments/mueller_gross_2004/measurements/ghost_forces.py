# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/ghost_forces and ghost_force_drift: net force and torque of internal forces."""

from collections import defaultdict

import numpy as np

from deformbench_analysis.vocabulary import Array, ExperimentData, Measured, Measures, Trace, rows

M = Measures("mueller_gross_2004/ghost_forces")
DRIFT = Measures("mueller_gross_2004/ghost_force_drift")
LEAST_FORCE = 1e-6  # of the cell's largest force: at the rest pose forces are rounding and their ratio means nothing


def relative_sums(trace: Trace, channel: str, arm: float = 1.0) -> Array:
    """|sum| / (largest force × arm) of every pose that has forces at all; NaN where forces are not finite."""
    sums = np.linalg.norm(trace.values("pose", channel), axis=1)
    largest = trace.values("pose", "max_elastic_force")
    if not np.isfinite(largest).all():
        return np.array([np.nan])
    loaded = largest > LEAST_FORCE * largest.max()
    return np.asarray(sums[loaded] / (largest[loaded] * arm))


def force_sum(trace: Trace) -> Array:
    """|Σf| / largest |f|."""
    return relative_sums(trace, "elastic_force_sum")


def torque_sum(trace: Trace) -> Array:
    """|Σ x × f| about the centre / (largest |f| × length)."""
    return relative_sums(trace, "elastic_torque_sum", trace.number("length_m"))


def drift(trace: Trace) -> float:
    """Largest displacement of the centre of mass of a free bar / its length."""
    centre = trace.values("step", "centre_of_mass")
    return float(np.linalg.norm(centre - centre[0], axis=1).max() / trace.number("length_m"))


ELEMENT, ELEMENT_QR, VERTEX = (
    rows(n, says=f"bars warped by {how}").noted(lambda _: "")
    for n, how in (
        ("element", "element with polar rotations"),
        ("element_qr", "element with Gram–Schmidt rotations"),
        ("vertex", "vertex"),
    )
)
for _rows in (ELEMENT, ELEMENT_QR):
    M.largest(f"{_rows.names[0]}_force_sum", force_sum, _rows)
    M.largest(f"{_rows.names[0]}_torque_sum", torque_sum, _rows)
DRIFT.largest("element_drift", drift, ELEMENT)
DRIFT.largest("vertex_drift", drift, VERTEX)


@M("vertex_force_sum")
def vertex_force_sum(data: ExperimentData) -> Measured:
    """Largest |Σf| / largest |f|, bent and twisted poses, warped by vertex; minimum over the lengths."""
    sums: dict[float, list[float]] = defaultdict(list)
    for cell in VERTEX.where(lambda c: c.value("schedule.poses.field") in ("bend", "twist"), says="").runs(data):
        sums[cell.number("length_m")].append(float(force_sum(cell).max()))
    largest = [np.max(of_size) for of_size in sums.values()]
    return Measured(np.min(largest), f"largest over all: {np.max(largest):.3g}")
