# SPDX-License-Identifier: BSD-3-Clause
"""Made-up bodies at rest: one member has uneven stress or is not at rest."""

from pathlib import Path

import numpy as np
import pytest
from measured import number
from node_traces import cloud, write_nodes

NAME = "pauly_et_al_2005/uniform_stretch"


def run(folder: Path, across: int, jitter: float, spread: tuple[float, float], unbalanced: float = 1e-4) -> None:
    """Stress 1 + spread or 1 − spread at the end, the same at the start but for a hundredth of it."""
    nodes, frames = cloud(across), []
    sign = np.where(np.arange(nodes.count) % 2 == 0, 1.0, -1.0)
    if nodes.count % 2:
        sign[-1] = 0.0
    for member in range(2):
        rows = []
        for part in (0.01, 1.0):
            stress = np.zeros((nodes.count, 3, 3))
            stress[:, 0, 0] = 100 * (1 + part * spread[member] * sign)
            stress[:, 1, 1] = 1e3 * np.arange(nodes.count)
            forces = np.zeros((nodes.count, 3))
            forces[:2, 0] = [-4.0, 2.0]
            forces[5, 1] = 4 * unbalanced * (member + 1) / 2
            rows.append(
                (nodes.rest, {"node_rest_positions": nodes.rest, "node_stresses": stress, "elastic_forces": forces})
            )
        frames.append(rows)
    scene = {"nodes_across": across, "jitter": jitter, "side_m": 1.0}
    write_nodes(folder, NAME, frames, scene=scene, arrays={"prescribed_vertices": np.array([0, 1])})


@pytest.mark.parametrize("fine", [(0.25, 0.5), (0.5, 0.25)])
def test_the_variation_is_that_of_the_worst_member_at_the_end(tmp_path: Path, fine: tuple[float, float]) -> None:
    run(tmp_path, 2, 0.3, (0.25, 0.25))
    run(tmp_path, 4, 0.3, fine, unbalanced=1e-3)
    run(tmp_path, 2, 0.0, (0.125, 0.0))
    assert number(tmp_path, "uniform_stretch.variation") == pytest.approx(0.5)
    assert number(tmp_path, "uniform_stretch.finest_over_coarsest") == pytest.approx(1.5)
    assert number(tmp_path, "uniform_stretch.start_variation") == pytest.approx(0.005)
    assert number(tmp_path, "uniform_stretch.residual") == pytest.approx(1e-3)
