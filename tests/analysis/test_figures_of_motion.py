# SPDX-License-Identifier: BSD-3-Clause
"""The figures of springs that flow, of limits of strain and of velocity updates,
from synthetic traces with known content."""

import sys
from pathlib import Path

import numpy as np
import pytest
from figure_traces import cell, drawn

sys.path.insert(0, str(Path(__file__).parents[1] / "experiments" / "cs533d_cloth_lecture"))

from test_ball_smoothing import after, beside_a_ball  # noqa: E402

PAPER = "cs533d_cloth_lecture/"
ONE_SPRING = {
    "constraint_vertices": np.array([[0, 1, -1, -1]]),
    "constraint_rest_values": np.array([0.2]),
    "constraint_compliance": np.array([0.02]),  # modulus times cross-section 10 N
}
VALUES = [0, 0.15, -0.15, 0.15, -0.15, 0.15]


def spring(folder: Path, experiment: str, name: str, strain: np.ndarray, stress: np.ndarray, **about: object) -> None:
    x, f = np.zeros((len(strain), 2, 3)), np.zeros((len(strain), 2, 3))
    x[:, 1, 0] = 0.2 * (1 + strain)
    f[:, 1, 0] = -10 * stress
    law = {"yield_tension": 0.05, "yield_compression": 0.03, "hardening": 0.2, "fracture_tension": 0.09}
    step = {"positions": x, "elastic_forces": f}
    cell(folder, f"{PAPER}{experiment} force_cloth {name}", {}, arrays=ONE_SPRING, parameters=law, step=step, **about)


def test_the_stresses_are_those_put_in(tmp_path: Path) -> None:
    times = [0, 10, 20, 30, 40, 50]
    strain = np.interp(np.arange(51), times, VALUES)
    scene = {"programme_times_s": times, "programme_values": VALUES, "time_step_s": 1.0}
    for name, factor in (("perfect", 0.25), ("hardening", 0.5)):
        spring(tmp_path, "spring_cycles", name, strain, factor * strain, scene=scene)
    pulled = np.linspace(0, 0.5, 501)
    for name, last in (("brittle", 0.09), ("ductile", 0.29), ("perfect", 1.0)):
        spring(
            tmp_path, "spring_fracture", name, pulled, np.where(pulled < last, pulled, 0.0), scene={"modulus_pa": 1e5}
        )
    ends = np.array([[0, 1, -1, -1], [1, 2, -1, -1]])
    for name in ("brittle", "ductile"):
        x = np.zeros((1, 3, 3))
        x[0, :, 0] = 0, 0.2, 3
        chain = {
            "constraint_vertices": ends,
            "constraint_rest_values": np.full(2, 0.2),
            "constraint_compliance": np.array([0.02, 0.03]),
        }
        step = {"positions": x, "elastic_forces": np.zeros((1, 3, 3))}
        cell(tmp_path, f"{PAPER}broken_chain force_cloth {name}", {}, {"thin": "all"}, arrays=chain, step=step)
    figure, rows = drawn(tmp_path, "sec_16_springs", tmp_path / "out")
    assert len(rows) == 10
    assert float(rows[0]["stress / E"]) == pytest.approx(0.0375)
    assert float(rows[9]["stress / E"]) == pytest.approx(0.075)
    assert float(rows[5]["closed form"]) == pytest.approx(0.05 + 0.1 / 6, rel=1e-4)
    assert "1 chains of either kind the thinnest link broke in all but 0" in figure.caption


SHEET = {
    "rest_positions": np.array([[0.0, 0, 0], [1, 0, 0], [0, 0, -1], [1, 0, -1]]),
    "triangles": np.array([[0, 1, 2], [1, 3, 2]]),
    "masses": np.array([0.1, 0.2, 0.2, 0.1]),
    "prescribed_vertices": np.array([0, 1]),
}

LIMIT = 0.350986  # 2/ω_max with springs of 2 N/m


def cloth(
    folder: Path, experiment: str, name: str, dt: float, sweeps: int, strain: float, stiffness: float = 2.0
) -> None:
    flat = {"kinetic_energy": np.zeros(3), "gravitational_energy": np.zeros(3), "elastic_energy": np.zeros(3)}
    cell(
        folder,
        f"{PAPER}{experiment} force_cloth {name}",
        {"time_step_s": dt, "method.parameters.strain_limit_sweeps": sweeps},
        scene={
            "vertices_across": 4,
            "gravity_m_s2": [0, -10, 0],
            "side_m": 1.0,
            "jerk_m": 0.0,
            "jerk_start_s": 0.0,
            "jerk_duration_s": 1.0,
        },
        parameters={"strain_limit": 0.1, "stretch_stiffness_n_per_m": stiffness},
        arrays=SHEET,
        step={"edge_strain_max": np.array([0, strain, 0]), "linear_momentum": np.zeros((3, 3)), **flat},
    )


def test_the_strains_are_those_put_in(tmp_path: Path) -> None:
    for name, factor in (("positions", 2.0), ("velocities", 1.0)):
        cloth(tmp_path, "strain_limit", name, 0.01, 4, 0.11 * factor)
        cloth(tmp_path, "strain_limit_stability", name, 0.9 * LIMIT, 100, 0.2 * factor)
    for stiffness, strain in ((2.0, 4.0), (32.0, 1.0), (512.0, 0.1)):
        cloth(tmp_path, "strain_limit_stability", "plain", 0.5 * LIMIT * np.sqrt(2 / stiffness), 10, strain, stiffness)
    figure, rows = drawn(tmp_path, "sec_6_strain_limits", tmp_path / "out")
    assert {(r["row"], round(float(r["worst strain / limit"]), 6)) for r in rows} == {
        ("positions", 2.2),
        ("velocities", 1.1),
    }
    assert "as long, at least" in figure.caption


def test_the_rebounds_and_rates_are_those_put_in(tmp_path: Path) -> None:
    for restitution, back in ((0.0, 0.9), (1.0, 0.95)):
        v = np.zeros((2, 2, 3))
        v[0, :, 0], v[1, :, 0] = -0.1, 0.1 * back
        scene = {"links": 5, "gap_m": 0.0, "time_step_s": 0.1, "wave_speed_m_s": 1.0, "length_m": 1.0}
        swept = {"restitution": restitution}
        arrays = {"masses": np.ones(2)}
        step = {"velocities": v}
        cell(tmp_path, f"{PAPER}rebound force_cloth elastic", swept, scene=scene, arrays=arrays, step=step)
    x = np.zeros((2, 2, 3))
    x[:, 1, 0] = 0.2
    for name in ("half_step", "half_step_constrained"):
        v = np.zeros((2, 2, 3))
        v[0, :, 0], v[1, :, 0] = -0.1, (-0.025, -0.075)
        about = {"parameters": {"stretch_damping_s": 2.0}, "arrays": {"masses": np.ones(2), **ONE_SPRING}}
        step = {"positions": x, "velocities": v}
        cell(tmp_path, f"{PAPER}velocity_smoothing force_cloth {name}", {}, {"time_step_s": 0.02}, step=step, **about)
    _, rows = drawn(tmp_path, "sec_9_velocity_update", tmp_path / "out")
    assert [r["row"] for r in rows] == ["rebound", "link rate, half_step", "link rate, half_step_constrained"]
    assert float(rows[0]["value"]) == pytest.approx(0.9)
    assert float(rows[0]["reference"]) == pytest.approx(0.885)
    # c = 2 s · 50 N/m, s = 0.02 · 100/2 = 1: λ = (3 − √5)/2
    assert float(rows[1]["value"]) == pytest.approx(0.5)
    assert float(rows[1]["reference"]) == pytest.approx(((np.sqrt(5) - 1) / 2) ** 2, rel=1e-4)


def test_the_ball_shows_every_rotation(tmp_path: Path) -> None:
    for rate in (4e3, 4e4):
        beside_a_ball(tmp_path, "half_step", rate, np.stack([after(rate, False)] * 2))
        beside_a_ball(tmp_path, "half_step_constrained", rate, np.stack([after(rate, True), after(rate, False)]))
    for name in ("half_step", "half_step_constrained"):
        beside_a_ball(tmp_path, name, 4e3, np.zeros((2, 5, 3)), "block")
    _, rows = drawn(tmp_path, "sec_9_ball", tmp_path / "out")
    rows = [r for r in rows if r["row"].endswith("sheet")]
    assert {r["row"] for r in rows} == {"share of the rate, sheet", "depth, explicit, sheet", "depth, implicit, sheet"}
    assert {int(r["rotations"]) for r in rows} == {2}
    for row in (r for r in rows if r["row"] != "share of the rate, sheet"):
        assert float(row["largest"]) >= 1 - 1e-9, "the second rotation is not constrained"
    shares = [float(r["median"]) for r in rows if r["row"] == "share of the rate, sheet"]
    assert 0 < shares[1] < shares[0] < 1
