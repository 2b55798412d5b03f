# SPDX-License-Identifier: BSD-3-Clause
"""Made-up homogeneous states: one node of one member of one cloud has another strain."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of
from node_traces import arrays_of, cloud, write_nodes
from scipy.spatial.transform import Rotation

from deformbench_analysis.moving_least_squares import Nodes

NAME = "pauly_et_al_2005/strain_objectivity"
SAMPLINGS = ("one_size", "two_levels", "plane")
TURN = Rotation.from_rotvec([0.3, -0.5, 1.0]).as_matrix()
MAP = np.array([[1.5, 0.1, 0.0], [0.0, 0.7, 0.2], [0.1, 0.0, 1.1]])


def body(sampling: str, member: int) -> Nodes:
    nodes = cloud(seed=member + 1)
    if sampling != "plane":
        return nodes
    flat = nodes.rest * [1, 1, 0]
    return Nodes(flat[::3], nodes.supports[::3])


def run(folder: Path, sampling: str, field: str, extra: float = 0.0, at: int = 1, stretch: float = 1.2) -> None:
    frames = []
    for member in range(2):
        nodes = body(sampling, member)
        if field == "stretch":
            side = np.sqrt(1 - 0.33 * (stretch**2 - 1))
            x = nodes.rest * [stretch, side, side]
        else:
            x = nodes.rest @ MAP.T
        if field == "turned_affine":
            x = x @ TURN.T + 100 * nodes.supports[0] * np.array([1.0, 0, 0])
        arrays = arrays_of(nodes, x)
        if member == at:
            arrays["node_strains"][4, 0, 0] += extra
            arrays["node_stresses"][4, 0, 0] += 1e5 * extra
        rest = (nodes.rest, arrays)
        frames.append([(x, arrays), rest])  # the second row is not looked at
    write_nodes(
        folder, NAME, frames, scene={"sampling": sampling, "field": field, "stretch": stretch, "nodes_across": 3}
    )


def everything(folder: Path, worst: str = "", field: str = "turned_affine", extra: float = 0.0) -> None:
    for sampling in SAMPLINGS:
        for kind in ("affine", "turned_affine"):
            run(folder, sampling, kind, extra if (sampling, kind) == (worst, field) else 0.0)
    run(folder, "one_size", "stretch", 1e-3)
    run(folder, "one_size", "stretch", 2e-3, stretch=2.2**0.5)


@pytest.mark.parametrize("worst", SAMPLINGS)
@pytest.mark.parametrize("field", ("affine", "turned_affine"))
def test_one_wrong_strain_of_one_member_is_seen(tmp_path: Path, worst: str, field: str) -> None:
    everything(tmp_path, worst, field, 0.125)
    assert number(tmp_path, "strain_objectivity.error") == pytest.approx(0.125)
    assert number(tmp_path, "strain_objectivity.turned_difference") == pytest.approx(0.125)


def test_without_one_nothing_is(tmp_path: Path) -> None:
    everything(tmp_path)
    assert number(tmp_path, "strain_objectivity.error") < 1e-12
    assert number(tmp_path, "strain_objectivity.turned_difference") < 1e-12
    assert number(tmp_path, "strain_objectivity.turned_linear_strain") > 0.1
    assert number(tmp_path, "strain_objectivity.stretch_strain_error") == pytest.approx(1e-3)
    assert number(tmp_path, "strain_objectivity.stretch_stress_error") == pytest.approx(2e-3)
    assert number(tmp_path, "strain_objectivity.clouds") == 3
    assert number(tmp_path, "strain_objectivity.maps") == 2
    assert number(tmp_path, "strain_objectivity.plane_ranks") == 2
    assert number(tmp_path, "strain_objectivity.shift") == pytest.approx(100, rel=0.01)
    values = np.linalg.svd(MAP, compute_uv=False)
    assert number(tmp_path, "strain_objectivity.stretch_range") == pytest.approx(values.max() / values.min())


def test_a_start_that_is_no_affine_map_is_no_number(tmp_path: Path) -> None:
    nodes = cloud()
    x = nodes.rest @ MAP.T
    x[3] += 0.01
    frames = [[(x, arrays_of(nodes, x))]] * 2
    write_nodes(tmp_path, NAME, frames, scene={"sampling": "one_size", "field": "affine", "nodes_across": 3})
    assert "no affine map" in value_of(tmp_path, "strain_objectivity.error").note
