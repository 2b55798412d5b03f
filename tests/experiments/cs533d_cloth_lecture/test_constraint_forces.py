# SPDX-License-Identifier: BSD-3-Clause
"""Forces of single elements against energies: one vertex of one kind of element is wrong."""

from pathlib import Path

import numpy as np
import pytest
from hinge_traces import folded, write_hinges
from measured import number, write_trace

NAME, SOLIDS = "cs533d_cloth_lecture/constraint_forces", "cs533d_cloth_lecture/solid_forces"
PARAMETERS = {
    "springs": {"stretch_stiffness_n_per_m": 30.0},
    "membrane": {"membrane_stiffness_n_per_m": 50.0, "membrane_poisson_ratio": 0.3},
    "hinges": {"bend_stiffness_j": 2.0, "bend_form": "half_angle"},
    "hinges_by_angle": {"bend_stiffness_j": 2.0, "bend_form": "angle"},
}
COUNT = 4


def rest() -> np.ndarray:
    return folded(np.linspace(-0.5, 0.5, COUNT))


def now() -> np.ndarray:
    return folded(np.linspace(1.2, -1.4, COUNT), heights=(1.1, 0.7), edge=1.4) + np.random.default_rng(1).normal(
        scale=0.05, size=(COUNT, 4, 3)
    )


def spring_forces(x: np.ndarray) -> np.ndarray:
    f, r = np.zeros_like(x), rest()
    for a, b in ((0, 1), (0, 2), (1, 2), (0, 3), (1, 3)):
        along = x[:, b] - x[:, a]
        size = np.linalg.norm(along, axis=1, keepdims=True)
        pull = 30.0 * (1 - np.linalg.norm(r[:, b] - r[:, a], axis=1, keepdims=True) / size) * along
        f[:, a] += pull
        f[:, b] -= pull
    return f


def triangle_force(r: np.ndarray, x: np.ndarray, modulus: float, nu: float) -> np.ndarray:
    """−A P ∇N of one triangle, with its rest edges in a frame of its own."""
    along = (r[1] - r[0]) / np.linalg.norm(r[1] - r[0])
    normal = np.cross(r[1] - r[0], r[2] - r[0])
    frame = np.array([along, np.cross(normal / np.linalg.norm(normal), along)])
    inverse = np.linalg.inv((frame @ (r[1:] - r[0]).T))
    gradient = (x[1:] - x[0]).T @ inverse
    strain = 0.5 * (gradient.T @ gradient - np.eye(2))
    stress = modulus / (1 - nu**2) * ((1 - nu) * strain + nu * np.trace(strain) * np.eye(2))
    forces = -0.5 * np.linalg.norm(normal) * gradient @ stress @ inverse.T
    return np.array([-forces.sum(axis=1), forces[:, 0], forces[:, 1]])


def membrane_forces(x: np.ndarray) -> np.ndarray:
    f = np.zeros_like(x)
    for pair in range(COUNT):
        for corners in ([0, 2, 1], [0, 1, 3]):
            f[pair, corners] += triangle_force(rest()[pair, corners], x[pair, corners], 50.0, 0.3)
    return f


def angles(x: np.ndarray) -> np.ndarray:
    edge = x[:, 1] - x[:, 0]
    first, second = np.cross(x[:, 2] - x[:, 0], edge), np.cross(edge, x[:, 3] - x[:, 0])
    up = (np.cross(first, second) * edge).sum(axis=1) / np.linalg.norm(edge, axis=1)
    return np.asarray(np.arctan2(up, (first * second).sum(axis=1)))


def hinge_forces(x: np.ndarray, by_angle: bool) -> np.ndarray:
    from test_angle_slopes import heights_as_slopes

    r = rest()
    edge = np.linalg.norm(r[:, 1] - r[:, 0], axis=1)
    heights = 2 * edge**2 / (edge * (0.8 + 0.9))
    bend = angles(x) - angles(r)
    size = 2.0 * heights * (bend if by_angle else 2 * np.sin(bend / 2))
    return -size[:, None, None] * heights_as_slopes(x)


def right(name: str, x: np.ndarray) -> np.ndarray:
    if name == "springs":
        return spring_forces(x)
    return membrane_forces(x) if name == "membrane" else hinge_forces(x, name == "hinges_by_angle")


def everything(folder: Path, wrong: str = "", by: float = 0.0) -> None:
    for name, parameters in PARAMETERS.items():
        x = now()
        f = right(name, x)
        if name == wrong:
            f[2, 3] += [0, 0, by * np.linalg.norm(f[2], axis=1).max()]
        arrays = {"rest_positions": rest().reshape(-1, 3)}
        write_hinges(folder, NAME, name, {"positions": x, "elastic_forces": f}, parameters=parameters, arrays=arrays)


def test_closed_forms_are_slopes_of_the_energies(tmp_path: Path) -> None:
    everything(tmp_path)
    assert number(tmp_path, "constraint_forces.energy_difference") < 1e-12
    assert number(tmp_path, "constraint_forces.states") == COUNT
    assert number(tmp_path, "constraint_forces.kinds") == 4
    assert number(tmp_path, "constraint_forces.largest_stretch") == pytest.approx(1.4 / 1.1 - 1, abs=0.2)


@pytest.mark.parametrize("wrong", list(PARAMETERS))
def test_one_wrong_vertex_is_found(tmp_path: Path, wrong: str) -> None:
    everything(tmp_path, wrong, 1e-5)
    assert number(tmp_path, "constraint_forces.energy_difference") == pytest.approx(1e-5, rel=1e-3)


@pytest.mark.parametrize("by", [0.0, 1e-5])
def test_tetrahedra_in_every_pose(tmp_path: Path, by: float) -> None:
    r = np.array([[0.0, 0, 0], [1, 0.1, 0], [0.2, 1, 0], [0.1, 0.2, 1]])
    young, nu = 1e5, 0.33
    lame = young * nu / ((1 + nu) * (1 - 2 * nu)), young / (2 * (1 + nu))
    inverse = np.linalg.inv((r[1:] - r[0]).T)
    poses, forces = [], []
    for seed in (1, 2):
        x = r + np.random.default_rng(seed).normal(scale=0.2, size=r.shape)
        gradient = (x[1:] - x[0]).T @ inverse
        strain = 0.5 * (gradient.T @ gradient - np.eye(3))
        stress = lame[0] * np.trace(strain) * np.eye(3) + 2 * lame[1] * strain
        f = -np.linalg.det((r[1:] - r[0]).T) / 6 * gradient @ stress @ inverse.T
        poses.append(x)
        forces.append(np.vstack([-f.sum(axis=1), f.T]))
    forces[1][2, 0] += by * np.linalg.norm(forces[1], axis=1).max()
    pose = {"positions": np.array(poses), "elastic_forces": np.array(forces)}
    arrays = {"rest_positions": r, "tetrahedra": np.array([[0, 1, 2, 3]])}
    scene = {"young_modulus_pa": young, "poisson_ratio": nu}
    write_trace(tmp_path, f"{SOLIDS} force_cloth tetrahedra", scene=scene, arrays=arrays, pose=pose)
    assert number(tmp_path, "solid_forces.energy_difference") == pytest.approx(by, rel=1e-3, abs=1e-12)
    assert number(tmp_path, "solid_forces.strain") > 0.1
