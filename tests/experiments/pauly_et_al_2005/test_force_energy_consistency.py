# SPDX-License-Identifier: BSD-3-Clause
"""Made-up forces of clouds: one coordinate of one member is wrong."""

from pathlib import Path

import numpy as np
import pytest
from measured import number
from node_traces import arrays_of, cloud, write_nodes

from deformbench_analysis.moving_least_squares import Nodes

NAME = "pauly_et_al_2005/force_energy_consistency"
SAMPLINGS = ("one_size", "plane")


def run(folder: Path, sampling: str, extra: float = 0.0) -> None:
    frames = []
    for member in range(2):
        nodes = cloud(2, seed=member + 1)
        if sampling == "plane":
            nodes = Nodes.of_material(nodes.rest * [1, 1, 0], nodes.supports, 1e5, 0.33)
        x = nodes.rest + 0.02 * np.random.default_rng(member).normal(size=nodes.rest.shape)
        forces = nodes.forces(x)
        forces[3, 1] += extra * np.sqrt(np.mean(forces**2)) if member else 0.0
        frames.append([(x, {**arrays_of(nodes, x), "elastic_forces": forces})])
    write_nodes(folder, NAME, frames, scene={"sampling": sampling})


@pytest.mark.parametrize("worst", SAMPLINGS)
def test_one_wrong_force_of_one_member_is_seen(tmp_path: Path, worst: str) -> None:
    for sampling in SAMPLINGS:
        run(tmp_path, sampling, 0.125 if sampling == worst else 0.0)
    assert number(tmp_path, "force_energy_consistency.slope_error") == pytest.approx(0.125, rel=0.01)
    assert number(tmp_path, "force_energy_consistency.net_force") > 1e-3
    assert number(tmp_path, "force_energy_consistency.torque") > 1e-3


def test_forces_of_the_energy_have_no_error(tmp_path: Path) -> None:
    for sampling in SAMPLINGS:
        run(tmp_path, sampling)
    assert number(tmp_path, "force_energy_consistency.slope_error") < 1e-9
    assert number(tmp_path, "force_energy_consistency.net_force") < 1e-12
    assert number(tmp_path, "force_energy_consistency.torque") < 1e-12
    assert number(tmp_path, "force_energy_consistency.own_stress_net_force") > 0.01
