# SPDX-License-Identifier: BSD-3-Clause
"""The scorecard on traces of a body that does what it owes, and on the same wrong in one row, one vertex,
one bit or one constant."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made_up_traces import write_trace

from experiments.cross.measurements import scorecard as m
from deformbench_analysis.mesh import lame, linear_forces
from deformbench_analysis.results import Results

REST = 0.1 * np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1.2]], dtype=float)
TETRAHEDRA = np.array([[0, 1, 2, 3], [1, 2, 3, 4]])
MASSES = np.array([1.0, 2.0, 0.5, 1.5, 3.0])
MATERIAL = {"young_modulus_pa": 1e5, "poisson_ratio": 0.33, "density_kg_m3": 1000.0}
STEPS, DT = 20, 0.01
TIME = DT * np.arange(STEPS + 1)
G = np.array([[1e-4, 2e-4, -1e-4], [-2e-4, 3e-4, 1e-4], [2e-4, -1e-4, -2e-4]])
GRAVITY = np.array([0.0, -9.81, 0.0])
Wrong = Callable[[dict[str, np.ndarray]], Any]


def still() -> dict[str, np.ndarray]:
    return {"positions": np.tile(REST, (STEPS + 1, 1, 1)), "velocities": np.zeros((STEPS + 1, 5, 3))}


def falling() -> dict[str, np.ndarray]:
    n = np.arange(STEPS + 1)[:, None, None]
    ones = np.ones((1, 5, 1))
    return {"positions": REST + 0.5 * n * (n + 1) * DT**2 * GRAVITY * ones, "velocities": n * DT * GRAVITY * ones}


def spinning() -> dict[str, np.ndarray]:
    """Vertices that fly apart as if no force held them, from a spin and a flight; as two members of the same bits."""
    velocity = np.array([1.0, 2.0, -1.0]) + np.cross([2.0, 3.0, 4.0], REST)
    v = np.tile(velocity, (STEPS + 1, 1, 1))
    x = REST + TIME[:, None, None] * v
    masses = np.tile(MASSES, (2, STEPS + 1, 1))
    return {"positions": np.stack([x, x]), "velocities": np.stack([v, v]), "vertex_masses": masses}


def on_the_map() -> dict[str, np.ndarray]:
    return {"positions": np.tile(REST + REST @ G.T, (STEPS + 1, 1, 1))}


def hooke() -> dict[str, np.ndarray]:
    force = linear_forces(REST, TETRAHEDRA, REST + REST @ G.T, 1e5, 0.33)
    return {"elastic_forces": np.tile(force, (STEPS + 1, 1, 1))}


def swinging() -> dict[str, np.ndarray]:
    return {"total_energy": np.full(STEPS + 1, 2.0), "substeps": np.concatenate([[0.0], np.full(STEPS, 100.0)])}


def noisy() -> dict[str, np.ndarray]:
    x = np.tile(REST, (STEPS + 1, 1, 1))
    x[:, 2, 0] += 1e-4
    return {"positions": x, "substeps": np.concatenate([[0.0], np.full(STEPS, 4.0)])}


def landing() -> dict[str, np.ndarray]:
    """Falls, is compressed and springs back without a loss."""
    height = np.abs(np.linspace(1.0, -1.0, STEPS + 1))
    return {"gravitational_energy": 2.0 * height, "total_energy": np.full(STEPS + 1, 2.0)}


def resting() -> dict[str, np.ndarray]:
    """The elastic energy of the box of REST under its own weight, of twice the weight while it settles."""
    extent = np.ptp(REST, axis=0)
    own = (1000 * 9.81) ** 2 * extent[1] ** 3 * extent[0] * extent[2] / (6 * 1e5)
    return {"elastic_energy": np.where(np.arange(STEPS + 1) < STEPS // 2, 4 * own, own)}


SCENES: dict[str, tuple[str, Callable[[], dict[str, np.ndarray]], dict[str, Any]]] = {
    "rest": ("scorecard_rest", still, {}),
    "free_fall": ("scorecard_free_fall", falling, {"gravity_m_s2": list(GRAVITY)}),
    "linear_momentum": ("scorecard_momenta", spinning, {}),
    "angular_momentum": ("scorecard_momenta", spinning, {}),
    "kinetic_energy": ("scorecard_momenta", spinning, {}),
    "determinism": ("scorecard_momenta", spinning, {}),
    "energy": ("scorecard_energy", swinging, {}),
    "landing": ("scorecard_landing", landing, {}),
    "resting": ("scorecard_resting", resting, {"gravity_m_s2": list(GRAVITY)}),
    "patch": ("scorecard_patch", on_the_map, {"displacement_gradient": list(G.ravel())}),
    "patch_forces": ("scorecard_patch_forces", hooke, {"displacement_gradient": list(G.ravel())}),
    "rotation": ("scorecard_turned", still, {}),
    "step": ("scorecard_step", noisy, {}),
}


def entry_of(folder: Path, key: str, wrong: Wrong | None = None, **more: Any) -> m.Entry:
    name, right, scene = SCENES[key]
    series = right()
    if wrong is not None:
        wrong(series)
    members = 2 if next(iter(series.values())).ndim == 4 else 0
    write_trace(
        folder,
        f"cross/{name} mine",
        scene={"time_step_s": DT, **MATERIAL, **scene},
        schedule={"steps": STEPS},
        arrays={"rest_positions": REST, "tetrahedra": TETRAHEDRA, "masses": MASSES},
        step=series,
        dt=DT,
        seeds=members,
        **more,
    )
    (row,) = m.rows(Results(folder, "paper", {}))
    return row.entries[key]


def add(channel: str, at: tuple[Any, ...], amount: Any) -> Wrong:
    def wrong(series: dict[str, np.ndarray]) -> None:
        series[channel][at] += amount

    return wrong


def times(channel: str, at: Any, factor: float) -> Wrong:
    def wrong(series: dict[str, np.ndarray]) -> None:
        series[channel][at] *= factor

    return wrong


def one_bit(series: dict[str, np.ndarray]) -> None:
    values = series["velocities"]
    values[1, 7, 3, 0] = np.nextafter(values[1, 7, 3, 0], np.inf)


def spurious_force(series: dict[str, np.ndarray]) -> None:
    """Force of a rotation mistaken for strain: the body swells, and is back at the end."""
    series["positions"][5] = 1.001 * REST


def growing(series: dict[str, np.ndarray]) -> None:
    series["total_energy"] *= 1.001 ** np.arange(STEPS + 1) ** 1.5


@pytest.mark.parametrize("key", SCENES)
def test_what_a_body_owes_is_kept(tmp_path: Path, key: str) -> None:
    found = entry_of(tmp_path, key)
    assert found.kept, (found.value, found.bound, found.reason)
    assert found.trace is not None and found.value is not None
    if key not in ("step",):
        assert abs(found.value) < 1e-11


@pytest.mark.parametrize(
    ("key", "wrong", "value"),
    [
        ("rest", add("positions", (7, 3, 1), 1e-6), None),
        ("rest", add("positions", (7, 3, 1), np.nan), None),
        ("free_fall", times("velocities", 9, 1 + 1e-6), 1e-6),
        ("free_fall", add("velocities", (20, 4), 1e-6 * GRAVITY), None),
        ("free_fall", times("velocities", np.s_[:], 0.5), 0.5),
        ("free_fall", lambda s: s.update(positions=REST + 0.9 * (s["positions"] - REST)), None),
        ("free_fall", lambda s: s.update(positions=np.tile(REST, (STEPS + 1, 1, 1))), 1 - 1 / STEPS),
        ("free_fall", add("positions", (3, 2, 0), 1e-7), None),
        ("linear_momentum", add("velocities", (1, 12, 4), [1e-5, 0, 0]), None),
        ("angular_momentum", times("velocities", (0, 12), 1 + 1e-6), None),
        ("angular_momentum", add("positions", (0, 5, 0), [0, 1e-5, 0]), None),
        ("kinetic_energy", times("velocities", (1, 12), 1 + 1e-6), 2e-6),
        ("determinism", one_bit, 1 / (2 * (STEPS + 1) * 15)),
        ("energy", add("total_energy", (13,), 0.2), 0.1),
        ("energy", growing, None),
        ("landing", add("total_energy", (11,), 0.03), 0.015),
        ("landing", add("total_energy", (3,), np.nan), None),
        ("resting", times("elastic_energy", np.s_[:], 4.0), 1.0),
        ("resting", times("elastic_energy", np.s_[:], 0.0), 1.0),
        ("resting", times("elastic_energy", np.s_[STEPS // 2 :], 2.3), None),
        ("patch", lambda s: s.update(positions=np.tile(REST + 0.99 * REST @ G.T, (STEPS + 1, 1, 1))), 0.01),
        ("patch", add("positions", (4, 3, 2), 1e-9), None),
        ("patch_forces", times("elastic_forces", np.s_[:], 1.01), 0.01),
        ("patch_forces", add("elastic_forces", (20, 1, 1), 1.0), None),
        ("rotation", spurious_force, None),
        ("step", add("positions", (11, 2, 0), 0.01), None),
        ("step", add("positions", (11, 2, 0), np.nan), None),
    ],
)
def test_what_is_wrong_once_is_not_kept(tmp_path: Path, key: str, wrong: Wrong, value: float | None) -> None:
    found = entry_of(tmp_path, key, wrong)
    assert found.kept is False, (found.value, found.bound)
    if value is not None:
        assert found.value == pytest.approx(value, rel=1e-3)


def test_momenta_are_those_of_the_masses_that_the_method_has(tmp_path: Path) -> None:
    def other_masses(series: dict[str, np.ndarray]) -> None:
        shares = MASSES * (1 + 0.5 * np.arange(len(MASSES)))
        own = shares * MASSES.sum() / shares.sum()
        kick = np.zeros_like(REST)
        kick[0, 0], kick[1, 0] = 1e-3 / own[0], -1e-3 / own[1]  # no change by these masses, one by those of the scene
        series["vertex_masses"][:] = own
        series["velocities"][:, 9] += kick

    assert entry_of(tmp_path / "own", "linear_momentum", other_masses).kept is True
    assert entry_of(tmp_path / "scene", "linear_momentum", add("velocities", (0, 9, 0), [1e-3, 0, 0])).kept is False
    found = entry_of(tmp_path / "heavier", "linear_momentum", times("vertex_masses", np.s_[:], 1.01))
    assert found.kept is None and "kg, expected" in found.reason
    found = entry_of(tmp_path / "changing", "linear_momentum", times("vertex_masses", np.s_[1, 7:], 1.01))
    assert found.kept is None and "its masses change" in found.reason


def test_another_material_is_noticed_by_the_forces(tmp_path: Path) -> None:
    def softer(series: dict[str, np.ndarray]) -> None:
        force = linear_forces(REST, TETRAHEDRA, REST + REST @ G.T, 1e5, 0.30)
        series["elastic_forces"][:] = force

    assert lame(1e5, 0.30) != lame(1e5, 0.33)
    assert entry_of(tmp_path, "patch_forces", softer).kept is False


def test_the_bound_on_energy_is_of_first_order_in_the_substep(tmp_path: Path) -> None:
    one = entry_of(tmp_path / "one", "energy").bound
    four = entry_of(tmp_path / "four", "energy", times("substeps", np.s_[:], 4.0)).bound
    assert one is not None and four is not None and one == pytest.approx(4 * four)
    # Two layers of nodes at x = 0 and 0.1 m: one torsional mode, c = √(μ/ρ).
    speed = np.sqrt(lame(1e5, 0.33)[1] / 1000)
    assert one == pytest.approx(0.5 * DT / 100 * (np.pi / 0.2) * speed * 8 / np.pi**2)


def test_a_run_that_was_cut_short_or_broke_off_has_no_small_number(tmp_path: Path) -> None:
    def short(series: dict[str, np.ndarray]) -> None:
        for channel in series:
            series[channel] = series[channel][:5]

    found = entry_of(tmp_path / "short", "rest", short)
    assert found.value is None and found.kept is None and "expected 21" in found.reason
    found = entry_of(tmp_path / "diverged", "rest", status="diverged", reason="not finite")
    assert found.value is None and found.kept is False and "not finite" in found.reason
    missing = [(0, 0.0, "channel_missing", 0, "total_energy: no ElasticityFacet")]
    found = entry_of(tmp_path / "without", "energy", lambda s: s.pop("total_energy"), events=missing)
    assert found.value is None and found.kept is None and found.reason == "total_energy: no ElasticityFacet"
    found = entry_of(tmp_path / "refused", "rest", status="unsupported", reason="knows no tetrahedra")
    assert found.value is None and found.kept is None and found.reason == "knows no tetrahedra"


def test_the_worst_cell_of_a_method_is_shown(tmp_path: Path) -> None:
    entry_of(tmp_path, "rest", parameters={"iterations": 1})
    entry_of(tmp_path, "rest", add("positions", (7, 3, 1), 1e-6), parameters={"iterations": 2})
    found = entry_of(tmp_path, "rest", parameters={"iterations": 3})
    assert found.kept is False and found.trace is not None and found.trace.value("method.parameters.iterations") == 2


def ring(folder: Path, dt: float, order: float, experiment: str = "cross/scorecard_order") -> None:
    """A tetrahedron in its dilation mode, wrong by dt^order of its amplitude in one row."""
    x = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]) * 0.05
    tetrahedra = np.array([[0, 1, 3, 2]])
    masses = np.full(4, 0.1)
    volume = abs(np.linalg.det(x[1:] - x[0])) / 6
    omega = np.sqrt(9 * volume * 1e5 / (3 * (1 - 0.66)) / (masses @ (x**2).sum(axis=1)))
    steps = round(2e-3 / dt)
    amplitude = 1e-4 * np.cos(omega * dt * np.arange(steps + 1))
    amplitude[steps // 2] += 1e-4 * (50 * dt) ** order
    arrays = {"rest_positions": x, "tetrahedra": tetrahedra, "masses": masses}
    scene = {"time_step_s": dt, "initial_scale": [1.0001] * 3, **MATERIAL}
    frame = {"positions": x * (1 + amplitude)[:, None, None]}
    swept = {"time_step_s": dt}
    schedule = {"steps": steps}
    write_trace(
        folder, f"{experiment} mine", scene=scene, swept=swept, schedule=schedule, arrays=arrays, frame=frame, dt=dt
    )


@pytest.mark.parametrize(("order", "kept"), [(1.0, True), (2.0, True), (0.7, False), (1.5, False), (0.0, False)])
def test_the_order_is_the_one_that_was_put_in(tmp_path: Path, order: float, kept: bool) -> None:
    ring(tmp_path, 1e-4, order)
    ring(tmp_path, 5e-5, order)
    (row,) = m.rows(Results(tmp_path, "paper", {}))
    found = row.entries["order"]
    assert found.kept is kept and found.value == pytest.approx(order, abs=1e-3)


def test_one_step_has_no_order(tmp_path: Path) -> None:
    ring(tmp_path, 1e-4, 1.0)
    (row,) = m.rows(Results(tmp_path, "paper", {}))
    assert row.entries["order"].kept is None and "an order needs two" in row.entries["order"].reason


@pytest.mark.parametrize(("end", "kept"), [("turned", True), ("stretched", False), ("mirrored", False)])
def test_a_body_recovers_turned_but_not_stretched_or_mirrored(tmp_path: Path, end: str, kept: bool) -> None:
    turned = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1.0]])
    change = {"turned": turned, "stretched": np.diag([1.02, 1, 1]), "mirrored": np.diag([-1.0, 1, 1])}[end]
    ring(tmp_path, 1e-4, 1.0)  # a row of the scorecard
    arrays = {"rest_positions": REST, "tetrahedra": TETRAHEDRA, "masses": MASSES}
    frame = {"positions": np.stack([3 * REST, REST @ change.T])}
    write_trace(tmp_path, "cross/tangled_start mine", schedule={"duration_s": 0.01}, arrays=arrays, frame=frame)
    (row,) = m.rows(Results(tmp_path, "paper", {}))
    found = row.entries["recovery"]
    assert found.kept is kept
    assert found.value == pytest.approx({"turned": 0.0, "stretched": 0.02, "mirrored": 2.0}[end], abs=1e-12)


def test_a_cloth_has_a_row_of_its_own_and_joined_cells_with_other_settings_have_none(tmp_path: Path) -> None:
    entry_of(tmp_path, "rest")
    step = {"positions": np.zeros((2, 4, 3))}
    arrays = {"rest_positions": np.eye(4, 3)}
    write_trace(tmp_path, "cross/scorecard_cloth_rest mine", schedule={"steps": 1}, step=step, arrays=arrays)
    results = Results(tmp_path, "paper", {})
    solid, cloth = m.rows(results)
    assert not solid.cloth and cloth.cloth and cloth.entries["rest"].value == 0.0
    assert "no stress" in cloth.entries["patch"].reason and "not run in" in solid.entries["energy"].reason
    data = results.experiment("cross/scorecard_rest")
    object.__setattr__(data, "settings", {data.cells[0].cell_id: {"seed": 2}})
    (alone,) = m.rows(results)
    assert alone.cloth
