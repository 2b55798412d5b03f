# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/thin_gaps and thin_folds: what rigid impact zones resolve and the fail-safe
stops, by gap between layers."""

import numpy as np

from deformbench_analysis.vocabulary import Measures, Trace, quantity, rows
from .crossings import crossing_count
from .impact_zones import crossings, momentum_changes

M = Measures("cs533d_cloth_lecture/thin_gaps")
FOLDS = Measures("cs533d_cloth_lecture/thin_folds")
LEAST_GAP = 1e-4  # of a cell's side: 0.1 mm for 1 m cells, thinner than cloth
STOPPED = 8  # index in collision_counts


def gap(trace: Trace) -> float:
    """Gap between layers / cell side.

    At rest, with cells along x and layers stacked along y."""
    side, height = (float(np.diff(np.unique(trace.scene("rest_positions")[:, axis])).max()) for axis in (0, 1))
    return height / side


def is_wide(trace: Trace) -> bool:
    """A gap of at least LEAST_GAP, up to rounding."""
    return gap(trace) >= LEAST_GAP * (1 - 1e-9)


def stopped(trace: Trace) -> float:
    """Share of the vertices that the fail-safe has stopped."""
    members = trace.values("frame", "positions").shape[0] if trace.series("frame", "positions").is_ensemble else 1
    found = [list(trace.frames(member, names=["collision_counts"]))[-1][2] for member in range(members)]
    return float(max(f["collision_counts"][STOPPED] for f in found)) / len(trace.scene("masses"))


@quantity("intersecting triangle pairs after the step, by exact predicates")
def _crossings_of_strip(trace: Trace) -> float:
    return float(crossing_count(trace.values("frame", "positions")[-1], trace.scene("triangles")))


@quantity("|P| after / before the step")
def _speed_kept(trace: Trace) -> float:
    momenta = np.linalg.norm(trace.scene("masses") @ trace.values("frame", "velocities"), axis=1)
    return float(momenta[-1] / momenta[0])


def _is_stopped_whole(trace: Trace) -> bool:
    """All stopped by the fail-safe."""
    return stopped(trace) == 1.0


MOMENTA = quantity("|ΔP| / Σm|v| and |ΔL| / Σm|x − x̄||v|")(lambda c: np.asarray(momentum_changes(c)))
PILES, WIDE = rows(says="all gaps"), rows(says="gaps of at least 1e-4 of a cell's side").having(is_wide, says="")
STRIPS = rows(says="folded strips, all gaps")

M.largest("stopped_share", stopped, PILES)
M.largest("stopped_share_of_wide_gaps", stopped, WIDE)
M.largest("crossings", quantity("intersecting triangle pairs after the step, by exact predicates")(crossings), PILES)
M.largest("momenta_change_of_wide_gaps", MOMENTA, WIDE)
M.largest("momenta_change", MOMENTA, PILES)
M.least("least_gap", gap, PILES)
M.least("least_wide_gap", gap, WIDE)

FOLDS.largest("stopped_share", stopped, STRIPS)
FOLDS.largest("stopped_share_of_wide_gaps", stopped, STRIPS.having(is_wide, says="at least 1e-4 of a cell's side"))
FOLDS.largest("crossings", _crossings_of_strip, STRIPS)
FOLDS.largest("speed_kept_where_stopped", _speed_kept, STRIPS.having(_is_stopped_whole))
