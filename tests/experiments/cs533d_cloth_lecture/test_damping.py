# SPDX-License-Identifier: BSD-3-Clause
"""Damping along constraints: one pair's force is off, one body's swing decays otherwise,
one angular momentum changes."""

from pathlib import Path

import numpy as np
import pytest
from made_springs import stiffness_matrix
from hinge_traces import folded, write_hinges
from measured import add_frames, number, write_trace
from test_angle_slopes import heights_as_slopes
from test_constraint_forces import angles

FORCES, MOTION = "cs533d_cloth_lecture/damping_forces", "cs533d_cloth_lecture/damped_motion"
CONTROL = "cs533d_cloth_lecture/braked_motion"
STIFFNESS, DAMPING = 2.0, 0.1


def hinge_run(folder: Path, name: str, wrong: int = -1, by: float = 0.0, drives: bool = False) -> np.ndarray:
    """Two families of five; `by` is added to one vertex of the pair `wrong` of the second family. The forces."""
    rest = np.repeat(folded(np.array([0.4, -0.7])), 5, axis=0)
    random = np.random.default_rng(1)
    d = np.repeat(0.15 * random.normal(size=(2, 1, 4, 3)), 5, axis=1) * np.array([1, 1, 1, 0, 1.5])[:, None, None]
    u, w = random.normal(size=(2, 2, 4, 3))
    v = np.stack([u, w, 0.7 * u - 1.3 * w, u, u], axis=1).reshape(-1, 4, 3)
    x = rest + d.reshape(-1, 4, 3)
    edge = np.linalg.norm(rest[:, 1] - rest[:, 0], axis=1)
    weight = 2 * edge**2 / (edge * (0.8 + 0.9))
    bend = angles(x) - angles(rest)
    slope = np.sqrt(STIFFNESS * weight)[:, None, None] * heights_as_slopes(x)
    if name == "hinges":
        slope *= np.cos(bend / 4)[:, None, None]
    f = -DAMPING * (slope * v).sum(axis=(1, 2))[:, None, None] * slope
    if wrong >= 0:
        f[5 + wrong, 3, 0] += by * np.linalg.norm(f[5 + wrong], axis=1).max()
        if drives:
            f[5 + wrong] *= -1
    form = "half_angle" if name == "hinges" else "angle"
    parameters = {"bend_stiffness_j": STIFFNESS, "bend_form": form, "bend_damping_s": DAMPING}
    start = {"positions": x, "velocities": v, "damping_forces": f.reshape(-1, 3)}
    write_hinges(folder, FORCES, name, start, parameters=parameters, arrays={"rest_positions": rest.reshape(-1, 3)})
    return np.asarray(f.reshape(2, 5, 4, 3))


def test_closed_forms_of_damping(tmp_path: Path) -> None:
    bent = []
    for name in ("hinges", "hinges_by_angle"):
        f = hinge_run(tmp_path, name)
        of_line = f[:, 3] + 1.5 * (f[:, 0] - f[:, 3])
        largest = [np.linalg.norm(forces, axis=-1).max(axis=-1) for forces in (f[:, 4] - of_line, f[:, 4])]
        bent.append(np.median(largest[0] / largest[1]))
    assert number(tmp_path, "damping_forces.formula_difference") < 1e-10
    assert number(tmp_path, "damping_forces.nonlinear_in_velocity") < 1e-14
    assert number(tmp_path, "damping_forces.nonlinear_in_position") in [pytest.approx(b, rel=1e-9) for b in bent]
    assert min(bent) > 0.05
    assert number(tmp_path, "damping_forces.power") < 0
    assert number(tmp_path, "damping_forces.states") == 10


@pytest.mark.parametrize("pair", [0, 1, 2])
@pytest.mark.parametrize("name", ["hinges", "hinges_by_angle"])
def test_one_wrong_force_is_found(tmp_path: Path, name: str, pair: int) -> None:
    hinge_run(tmp_path, name, pair, 1e-4)
    assert number(tmp_path, "damping_forces.formula_difference") == pytest.approx(1e-4, rel=1e-3)
    assert number(tmp_path, "damping_forces.nonlinear_in_velocity") > 1e-6


def test_one_pair_that_is_driven_is_found(tmp_path: Path) -> None:
    hinge_run(tmp_path, "hinges", 3, 0.0, drives=True)
    assert number(tmp_path, "damping_forces.power") > 1e-3


K, MASS = 40.0, np.array([1.0, 2.0, 1.5, 0.5])
REST = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])


def springs_matrix() -> np.ndarray:
    """Matrix of springs along all six edges at rest; six of the twelve motions are rigid."""
    return stiffness_matrix(REST, [(a, b) for a in range(4) for b in range(a)], K)


def motion(
    folder: Path, body: str, coefficient: float, excess: float = 0.0, brake: float = 0.0, name: str = ""
) -> None:
    """A turning tetrahedron of springs whose first mode swings; its ratio is k_d ω/2 (1 + excess)."""
    matrix, root = springs_matrix(), np.repeat(MASS, 3) ** -0.5
    squares, shapes = np.linalg.eigh(root[:, None] * matrix * root)
    omega, shape = float(np.sqrt(squares[6])), (root * shapes[:, 6]).reshape(4, 3)
    ratio = coefficient * omega / 2 * (1 + excess)
    time = np.linspace(0, 4 * 2 * np.pi / omega, 120)
    q = 1e-4 * np.exp(-ratio * omega * time) * np.cos(omega * np.sqrt(1 - ratio**2) * time + 0.3)
    centre = (MASS[:, None] * REST).sum(axis=0) / MASS.sum()
    x = []
    for t, size in zip(time, q):
        c, s = np.cos(0.02 * t), np.sin(0.02 * t)
        x.append((REST - centre + size * shape) @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]]) + centre + t)
    speed = np.cross([0.0, 0, 1], REST - centre)
    v = np.array([speed, (1 - brake) * speed])
    rows, columns = np.nonzero(matrix)
    path = write_trace(
        folder,
        f"{CONTROL} force_cloth {name}" if name else f"{MOTION} force_cloth damped",
        parameters={"stretch_damping_s": coefficient, "bend_damping_s": coefficient},
        scene={"body": body, "angular_velocity_rad_s": [0, 0, 0.02], "time_step_s": float(time[1])},
        dt=float(time[1]),
        arrays={"rest_positions": REST, "masses": MASS},
        step={"positions": np.array(x), "substeps": np.full(len(time), 10.0)},
        frame={"positions": np.array([x[0], x[0]]), "velocities": v},
    )
    places = np.stack([rows, columns], axis=1)
    add_frames(path, [[(0, 0.0, {"stiffness_places": places, "stiffness_entries": matrix[rows, columns]})]])


def test_the_ratio_that_was_put_in_is_found(tmp_path: Path) -> None:
    motion(tmp_path, "block", 4e-3, excess=0.07)
    assert number(tmp_path, "damped_motion.ratio_error") == pytest.approx(0.07, rel=1e-3)
    assert number(tmp_path, "damped_motion.frequency_error") < 1e-3
    assert number(tmp_path, "damped_motion.left") < 1e-6
    assert number(tmp_path, "damped_motion.swings") == pytest.approx(4, rel=0.02)
    assert number(tmp_path, "damped_motion.step") == pytest.approx(8 * np.pi / 119 / 10, rel=1e-3)
    assert number(tmp_path, "damped_motion.spin") < 0.02


def test_a_braked_spin_is_found(tmp_path: Path) -> None:
    # With v = e × r about the axis e: L = Σm (r² e − (e·r) r), and |v| is the distance from the axis.
    r = REST - MASS @ REST / MASS.sum()
    spin = MASS @ ((r**2).sum(axis=1)[:, None] * [0, 0, 1] - r[:, 2:] * r)
    share = np.linalg.norm(spin) / (MASS @ (np.linalg.norm(r, axis=1) * np.hypot(r[:, 0], r[:, 1])))
    motion(tmp_path, "sheet", 1e-3, brake=0.1)
    assert number(tmp_path, "damped_motion.angular_momentum_change") == pytest.approx(0.1 * share, rel=1e-3)
    motion(tmp_path, "block", 1e-3, brake=0.2, name="braked")
    assert number(tmp_path, "braked_motion.angular_momentum_change") == pytest.approx(0.2 * share, rel=1e-3)


def test_what_turned_elements_do_to_a_spin(tmp_path: Path) -> None:
    x = np.array([[1.0, 0, 0], [-1, 0, 0]])
    v = np.array([[0.0, 2, 0], [0, -2, 0]])
    runs = [
        ("linear", 90.0, 1e7, 0.9),
        ("linear", 0.0, 1e7, 0.1),
        ("linear", 90.0, 0.0, 0.2),
        ("invariant", 90.0, None, 0.3),
    ]
    for name, turn, damping, brake in runs:
        given = {} if damping is None else {"method.parameters.stiffness_damping_s": damping}
        write_trace(
            tmp_path,
            f"{CONTROL} linear_fem {name}",
            parameters={} if damping is None else {"stiffness_damping_s": damping},
            coordinates={"scene.parameters.turn_deg": turn, **given},
            arrays={"masses": np.ones(2)},
            frame={"positions": np.stack([x, x]), "velocities": np.stack([v, (1 - brake) * v])},
        )
    expected = {"linear_elements": 0.9, "linear_forces": 0.2, "invariant_elements": 0.3}
    for name, value in expected.items():
        assert number(tmp_path, f"braked_motion.by_{name}") == pytest.approx(value), name
