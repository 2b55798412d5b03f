# SPDX-License-Identifier: BSD-3-Clause
"""Made-up gradients of clouds: errors of a known order, one seed or one region worse."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of
from node_traces import arrays_of, cloud, write_nodes

from experiments.pauly_et_al_2005.measurements import gradient_convergence as m
from deformbench_analysis.trace import Trace

NAME = "pauly_et_al_2005/gradient_convergence"
AMPLITUDE = 0.01
AFFINE = np.array([[1.2, 0.1, 0.0], [0.0, 0.8, 0.3], [0.1, 0.0, 1.0]])


def run(
    folder: Path,
    across: int,
    sampling: str,
    field: str,
    orders: tuple[float, float],
    extra: float = 0.0,
    status: str = "completed",
) -> None:
    """Two seeds whose gradients are wrong by Δ to the power of `orders` times the largest gradient; `extra`:
    at nodes at a face."""
    frames = []
    for member, power in enumerate(orders):
        nodes = cloud(across, ratio=1.5, seed=member + 1, jitter=0.1)
        if field == "affine":
            x = nodes.rest @ AFFINE.T
            arrays = arrays_of(nodes, x)
            arrays["node_deformation_gradients"] = np.tile(AFFINE, (len(x), 1, 1))
            arrays["node_deformation_gradients"][5, 1, 2] += extra if member else 0.0
        else:
            x = nodes.rest + AMPLITUDE * np.sin(nodes.rest @ m.WAVES.T)
            exact = AMPLITUDE * np.cos(nodes.rest @ m.WAVES.T)[:, :, None] * m.WAVES
            arrays = arrays_of(nodes, x)
            largest = np.linalg.norm(exact, axis=(1, 2)).max()
            arrays["node_deformation_gradients"] = np.eye(3) + exact
            arrays["node_deformation_gradients"][:, 0, 0] += (1 / across) ** power * largest
            at_face = np.minimum(nodes.rest[:, 0], 1 - nodes.rest[:, 0]) < 1 / across
            arrays["node_deformation_gradients"][at_face, 0, 0] += extra * largest
        frames.append([(x, arrays)])
    scene = {
        "nodes_across": across,
        "sampling": sampling,
        "field": field,
        "side_m": 1.0,
        "length_m": 1.0,
        "amplitude_m": AMPLITUDE,
    }
    write_nodes(folder, NAME, frames, scene=scene, status=status)


def everything(
    folder: Path, one: tuple[float, float] = (2, 2), two: tuple[float, float] = (2, 2), extra: float = 0.0
) -> None:
    for across in (6, 8, 10):
        run(folder, across, "one_size", "wave", one, extra)
        run(folder, across, "two_levels", "wave", two)
    run(folder, 4, "one_size", "affine", (0, 0))
    run(folder, 4, "two_levels", "affine", (0, 0))


@pytest.mark.parametrize("orders", [(2, 1), (1, 2)])
def test_the_order_is_that_of_the_worst_seed(tmp_path: Path, orders: tuple[float, float]) -> None:
    everything(tmp_path, orders, (1.5, 1.25))
    assert number(tmp_path, "gradient_convergence.interior_order") == pytest.approx(1)
    assert number(tmp_path, "gradient_convergence.boundary_order") == pytest.approx(1)
    assert number(tmp_path, "gradient_convergence.transition_order") == pytest.approx(1.25)
    assert number(tmp_path, "gradient_convergence.finest_error") == pytest.approx(0.1)
    assert number(tmp_path, "gradient_convergence.deficient_nodes") == 0
    assert number(tmp_path, "gradient_convergence.affine_error") < 1e-13
    assert number(tmp_path, "gradient_convergence.isotropic_error") > 0.1


def test_an_error_at_the_boundary_is_not_hidden_by_the_interior(tmp_path: Path) -> None:
    everything(tmp_path, extra=0.5)
    assert number(tmp_path, "gradient_convergence.boundary_order") < 0.2
    assert number(tmp_path, "gradient_convergence.interior_order") == pytest.approx(2)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_node_of_the_interior_is_farther_from_every_face_than_its_support(tmp_path: Path, axis: int) -> None:
    run(tmp_path, 4, "one_size", "affine", (0, 0))
    (path,) = tmp_path.rglob("*.h5")
    rest = np.tile([0.5, 0.0, 0.0], (4, 1))
    middle = rest[0, axis]
    rest[:, axis] = middle + np.array([-0.31, -0.29, 0.29, 0.31])
    arrays = {"node_rest_positions": rest, "node_supports": np.full(4, 0.2)}
    assert m.interior(Trace(path), arrays).tolist() == [False, True, True, False]


def test_one_wrong_gradient_of_an_affine_map_is_seen(tmp_path: Path) -> None:
    everything(tmp_path)
    run(tmp_path, 5, "one_size", "affine", (0, 0), extra=1e-3)
    assert number(tmp_path, "gradient_convergence.affine_error") > 1e-5


def test_a_size_that_is_missing_is_no_order(tmp_path: Path) -> None:
    for across in (6, 8):
        run(tmp_path, across, "one_size", "wave", (2, 2))
    assert "2 sizes" in value_of(tmp_path, "gradient_convergence.interior_order").note
    run(tmp_path, 10, "one_size", "wave", (2, 2), status="failed")
    assert "did not complete" in value_of(tmp_path, "gradient_convergence.interior_order").note
