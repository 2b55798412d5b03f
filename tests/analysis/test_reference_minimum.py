# SPDX-License-Identifier: BSD-3-Clause
"""The independent minimum of a step: its laws and derivatives, its minimiser, and the command's own numbers."""

from collections.abc import Callable
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made_up_traces import write_trace
from outside_runs import COMMAND, run
from scipy.optimize import minimize

from deformbench_analysis import reference_minimum as rm
from deformbench_analysis.errors import MissingData
from deformbench_analysis.reference_laws import LAWS
from deformbench_analysis.step_iterations import Iterations
from deformbench_analysis.trace import Trace
from reference_data.total_lagrangian import laws as others

LAM, MU = 3.0, 0.7
EVERY_LAW = pytest.mark.parametrize("name", LAWS)


def gradients(count: int = 40) -> np.ndarray:
    """Near rest, far from it, and inverted."""
    random = np.random.default_rng(1)
    near = np.eye(3) + 0.2 * random.normal(size=(count, 3, 3))
    return np.concatenate([near, random.normal(size=(count, 3, 3)), near * [1, 1, -1]])


def slope(of: Callable[[np.ndarray], np.ndarray], x: np.ndarray, direction: np.ndarray, h: float = 1e-4) -> np.ndarray:
    """Along the direction, of fourth order: h⁴ and 1e-16/h leave some 1e-11."""
    near, far = of(x + h * direction) - of(x - h * direction), of(x + 2 * h * direction) - of(x - 2 * h * direction)
    return np.asarray((8 * near - far) / (12 * h))


@EVERY_LAW
def test_a_law_has_its_derivatives_no_force_at_rest_and_hooke_s_constants(name: str) -> None:
    f = gradients()
    lam, mu = np.full(len(f), LAM), np.full(len(f), MU)
    law = LAWS[name]
    energy, stress, tangent = law(f, lam, mu)
    assert (energy < 0).sum() == 0 or name.startswith("stable")
    if name == "corotational":  # where two stretches sum to zero it has no derivatives
        s = np.linalg.svd(f, compute_uv=False) * np.sign(np.linalg.det(f))[:, None] ** [0, 0, 1]
        smooth = np.abs(s[:, 1] + s[:, 2]) > 0.05
        assert smooth.sum() > 80
    else:
        smooth = np.ones(len(f), bool)
    way = np.random.default_rng(2).normal(size=f.shape)
    by_energy = slope(lambda g: law(g, lam, mu)[0], f, way)
    by_stress = slope(lambda g: law(g, lam, mu)[1], f, way).reshape(-1, 9)
    assert (stress * way).sum(axis=(1, 2))[smooth] == pytest.approx(by_energy[smooth], rel=1e-6, abs=1e-7)
    assert (tangent() @ way.reshape(-1, 9, 1))[smooth, :, 0] == pytest.approx(by_stress[smooth], rel=1e-6, abs=1e-6)
    e, p, c = law(np.eye(3)[None], lam[:1], mu[:1])
    hooke = LAM * np.outer(np.eye(3), np.eye(3)) + MU * (
        np.eye(9) + np.eye(9).reshape(3, 3, 9).transpose(1, 0, 2).reshape(9, 9)
    )
    assert (float(e[0]), np.abs(p).max()) == pytest.approx((0.0, 0.0), abs=1e-15)
    assert c()[0] == pytest.approx(hooke, abs=1e-12)


@pytest.mark.parametrize(
    "name, other",
    [("stable_neo_hookean", others.StableNeoHookean), ("st_venant_kirchhoff", others.StVenantKirchhoff)],
)
def test_a_law_is_that_of_the_total_lagrangian_program(name: str, other: Any) -> None:
    f = gradients()
    energy, stress, tangent = LAWS[name](f, np.full(len(f), LAM), np.full(len(f), MU))
    law = other(LAM, MU)
    rest = law.energy(np.eye(3)[None])[0]
    assert energy == pytest.approx(law.energy(f) - rest, rel=1e-12, abs=1e-12)
    assert stress == pytest.approx(law.stress(f), rel=1e-12, abs=1e-12)
    assert tangent() == pytest.approx(law.tangent(f).reshape(-1, 9, 9), rel=1e-12, abs=1e-12)


def cube(is_quadratic: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Kuhn's six tetrahedra of a distorted cube; or their eight parts each, the middles in order of appearance."""
    rest = np.array([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)], float)
    rest += 0.1 * np.random.default_rng(3).normal(size=rest.shape)
    tets = np.array([np.cumsum([0, *(4 >> axis for axis in order)]) for order in permutations(range(3))])
    if not is_quadratic:
        return rest, tets
    points, middles, parts = [*rest], {}, []
    for tet in tets:
        for i, j in combinations(tet, 2):
            if frozenset((i, j)) not in middles:
                middles[frozenset((i, j))] = len(points)
                points.append((rest[i] + rest[j]) / 2)
        m = {(i, j): middles[frozenset((tet[i], tet[j]))] for i, j in permutations(range(4), 2)}
        parts += [[tet[k], *(m[k, j] for j in range(4) if j != k)] for k in range(4)]
        ring = [m[0, 2], m[0, 3], m[1, 3], m[1, 2]]  # around the diagonal from 01 to 23
        parts += [[m[0, 1], m[2, 3], ring[k], ring[(k + 1) % 4]] for k in range(4)]
    return np.array(points), np.array(parts)


POINTS = {"linear": rm.linear_points, "quadratic": rm.quadratic_points, "hexahedra": rm.hexahedral_points}


def step(name: str, elements: str = "linear", stiffness: float = 1e3, push: float = 0.2) -> rm.ImplicitStep:
    """Starts at random, holds two vertices, and has gravity."""
    rest, tets = cube(elements == "quadratic")
    points = POINTS[elements](rest, tets)
    random = np.random.default_rng(4)
    start = rest + push * random.normal(size=rest.shape)
    is_free = np.arange(len(rest)) > 1
    ones = np.full(len(points.volumes), stiffness)
    masses, velocities = random.uniform(1, 2, len(rest)), random.normal(size=rest.shape)
    gravity = np.array([0.0, -9.81, 1.0])
    lam, averaged = (0 * ones, np.array([2 * stiffness])) if elements == "hexahedra" else (2 * ones, None)
    return rm.ImplicitStep(
        points, LAWS[name], (lam, ones), masses, start, start + 0.1 * velocities, 0.1, gravity, is_free, averaged
    )


@EVERY_LAW
@pytest.mark.parametrize("elements", POINTS)
def test_phi_has_its_derivatives(name: str, elements: str) -> None:
    problem = step(name, elements)
    x, random = problem.start, np.random.default_rng(5)
    way = random.normal(size=x.shape) * problem.is_free[:, None]
    along = float((problem.gradient(x) * way).sum())
    assert along == pytest.approx(float(slope(lambda y: np.array(problem.objective(y)), x, way)), rel=1e-7)
    by_gradient = slope(problem.gradient, x, way)[problem.is_free].ravel()
    turned = problem.hessian(x) @ way[problem.is_free].ravel()
    assert turned == pytest.approx(by_gradient, rel=1e-6, abs=1e-6 * np.abs(by_gradient).max())
    assert np.all(problem.gradient(x)[~problem.is_free] == 0)


def test_ten_nodes_integrate_a_quadratic_field_and_agree_with_four_on_a_linear_one() -> None:
    rest, tets = cube(True)
    nodes = rm.ten_nodes(tets)
    assert nodes.shape == (6, 10)
    for m, (i, j) in enumerate(((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))):
        assert rest[nodes[:, 4 + m]] == pytest.approx((rest[nodes[:, i]] + rest[nodes[:, j]]) / 2)
    points = rm.quadratic_points(rest, tets)
    assert points.volumes.sum() == pytest.approx(rm.linear_points(rest, tets).volumes.sum())
    field = np.stack([rest[:, 0] ** 2, rest[:, 1] * rest[:, 2], rest[:, 2]], axis=1)
    slopes = np.einsum("pai,paj->pij", field[points.nodes], points.slopes)
    # ∫ ∂(x²)/∂x = ∫ 2x and ∫ (2x)², both of degree two at most: by the corners and the middles of each tetrahedron.
    x = rest[nodes, 0]
    volumes = np.bincount(np.repeat(np.arange(6), 4), points.volumes)
    assert points.volumes @ slopes[:, 0, 0] == pytest.approx(volumes @ (2 * x[:, :4].mean(axis=1)))
    squares = 4 * (-(x[:, :4] ** 2).sum(axis=1) / 20 + (x[:, 4:] ** 2).sum(axis=1) / 5)
    assert points.volumes @ slopes[:, 0, 0] ** 2 == pytest.approx(volumes @ squares)
    with pytest.raises(MissingData, match="in eights"):
        rm.ten_nodes(cube()[1])


def test_hexahedra_integrate_their_volume_and_average_the_dilatation() -> None:
    rest, tets = cube()
    (nodes,) = rm.eight_nodes(tets)
    assert sorted(nodes) == list(range(8)) and {nodes[0], nodes[7]} == {0, 7}
    points = rm.hexahedral_points(rest, tets)
    whole = np.array([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)], float)
    assert rm.hexahedral_points(whole, tets).volumes == pytest.approx(np.full(8, 1 / 8))
    shear = np.array([[1.1, 0.2, 0.0], [0.0, 0.9, 0.1], [0.3, 0.0, 1.2]])  # a linear field has one gradient
    moved = (rest @ shear.T)[points.nodes]
    assert np.einsum("pai,paj->pij", moved, points.slopes) == pytest.approx(np.broadcast_to(shear, (8, 3, 3)))
    # The mean of J is the volume relative to that at rest.
    bent = whole + 0.2 * whole[:, :1] * whole[:, 1:2] * [0.0, 0.0, 1.0]
    flat = rm.hexahedral_points(whole, tets)
    growth = np.linalg.det(np.einsum("pai,paj->pij", bent[flat.nodes], flat.slopes))
    assert flat.volumes @ growth == pytest.approx(1.0)  # the top is tilted as much as the bottom
    with pytest.raises(MissingData, match="in sixes"):
        rm.eight_nodes(tets[:5])
    with pytest.raises(MissingData, match="in sixes"):
        rm.eight_nodes(np.roll(tets, 1, axis=1)[[0, 1, 2, 3, 4, 4]])


@EVERY_LAW
def test_the_minimum_is_that_of_another_minimiser(name: str) -> None:
    problem = step(name, push=0.05)
    found = problem.minimise()
    assert found.residual <= rm.TOLERANCE and found.least_eigenvalue > 0
    assert found.objective < problem.objective(problem.start)

    def of(z: np.ndarray) -> tuple[float, np.ndarray]:
        x = problem.start.copy()
        x[problem.is_free] = z.reshape(-1, 3)
        return problem.objective(x), problem.gradient(x)[problem.is_free].ravel()

    other = minimize(of, problem.start[problem.is_free].ravel(), jac=True, method="BFGS", options={"gtol": 1e-6})
    assert other.x == pytest.approx(found.positions[problem.is_free].ravel(), abs=1e-7)
    assert other.fun == pytest.approx(found.objective, rel=1e-12, abs=0)


@EVERY_LAW
@pytest.mark.parametrize("push, stiffness", [(1.0, 1e6), (3.0, 1.0)])
def test_it_ends_at_a_minimum_from_far_away(name: str, push: float, stiffness: float) -> None:
    found = step(name, stiffness=stiffness, push=push).minimise()
    assert found.residual <= 1e-9 and found.least_eigenvalue > 0


def test_the_same_step_is_minimised_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = step("corotational", stiffness=17.0).minimise()
    monkeypatch.setattr(rm.ImplicitStep, "_descend", lambda *_: pytest.fail("minimised again"))
    assert step("corotational", stiffness=17.0).minimise() is first
    for other in (step("corotational", stiffness=18.0), step("st_venant_kirchhoff", stiffness=17.0)):
        with pytest.raises(pytest.fail.Exception, match="minimised again"):
            other.minimise()


def problem_trace(folder: Path, scene: dict[str, Any], parameters: dict[str, Any] | None = None) -> Trace:
    rest, tets = cube()
    about = {"time_step_s": 0.1, "density_kg_m3": 10.0, "poisson_ratio": 0.25, "omega": 2.0, "theta": 0.0, **scene}
    arrays = {"rest_positions": rest, "tetrahedra": tets, "masses": np.ones(len(rest))}
    path = write_trace(
        folder, "a/b implicit_fem n", scene={"contrast": 1.0, "contrast_pattern": "halves", **about},
        parameters={"law": "corotational", **(parameters or {})}, arrays=arrays, frame={"positions": rest[None]},
    )  # fmt: skip
    return Trace(path)


def test_young_s_modulus_is_as_the_scene_says(tmp_path: Path) -> None:
    rest, tets = cube()
    edges = {frozenset(pair) for tet in tets for pair in combinations(tet.tolist(), 2)}
    lengths = sorted(np.linalg.norm(rest[a] - rest[b]) for a, b in map(tuple, edges))
    by_edge = rm.young_moduli(problem_trace(tmp_path / "a", {}), rest, tets)
    assert by_edge == pytest.approx(np.full(6, 2 * 10 * lengths[len(lengths) // 2] ** 2 / 0.1**2))
    by_length = rm.young_moduli(problem_trace(tmp_path / "b", {"theta": 3.0, "contrast": 5.0}), rest, tets)
    soft = 3 * 10 * np.ptp(rest, axis=0).max() ** 2 / 0.1**2
    is_stiff = rest[tets, 0].mean(axis=1) > (rest[:, 0].min() + rest[:, 0].max()) / 2
    assert 0 < is_stiff.sum() < 6 and by_length == pytest.approx(soft * np.where(is_stiff, 5, 1))


@pytest.mark.parametrize(
    "scene, parameters, said",
    [
        ({"contrast": 2.0, "contrast_pattern": "random"}, {}, "which elements are stiffer"),
        ({"spin_rad_s": 1.0}, {}, "no channel frame/velocities"),
        ({}, {"law": "neo_hookean"}, "law neo_hookean, expected one of stable_neo_hookean"),
        ({}, {"substeps": 2}, "expected one step"),
        ({}, {"elements": "hexahedra"}, "law corotational on hexahedra"),
    ],
)
def test_what_a_trace_does_not_say_is_missing(
    tmp_path: Path, scene: dict[str, Any], parameters: dict[str, Any], said: str
) -> None:
    with pytest.raises(MissingData, match=said):
        rm.ReferenceMinimum(problem_trace(tmp_path, scene, parameters))


@pytest.mark.skipif(not COMMAND, reason="DEFORMBENCH names no command")
@pytest.mark.parametrize(
    "scene, shape, elements",
    [
        (
            "twisted_bar",
            {"cells_across": 1, "subdivisions": 1, "start": "twisted", "held": "root", "angle_deg": 60.0},
            ["linear", "quadratic"],
        ),
        ("step_problem", {"family": "hexahedral_graded", "amount": 60.0, "seed": 4}, ["linear", "hexahedra"]),
    ],
)
def test_newton_s_method_of_the_command_ends_at_this_minimum(
    tmp_path: Path, scene: str, shape: dict[str, Any], elements: list[str]
) -> None:
    law = {"law": "stable_neo_hookean", "solver": "direct", "hessian": "exact", "newton_tolerance": 1e-15}
    rows = [{"name": name, "method": "implicit_fem", "parameters": {**law, "elements": name}} for name in elements]
    traces = run(
        tmp_path, {"name": scene, "parameters": {**shape, "time_step_s": 0.05}}, rows, schedule={"steps": 1},
        channels={"frame": {"every": 1, "names": ["positions"]},
                  "iteration": {"steps": [1], "names": ["objective", "gradient_norm", "elapsed_seconds"]}},
    )  # fmt: skip
    values = {}
    for name, trace in traces.items():
        problem, log = rm.ReferenceMinimum(trace), Iterations.of(trace)
        start, end = trace.values("frame", "positions")[[0, -1]]
        # Sums of some 500 terms: a few times 1e-16 of each.
        assert [problem.objective(start), problem.objective(end)] == pytest.approx(
            log.objective[[0, -1]], rel=1e-13, abs=0
        )
        assert np.linalg.norm(problem.gradient(start)) == pytest.approx(log.gradient_norm[0], rel=1e-12, abs=0)
        least = problem.minimise()
        assert least.objective == pytest.approx(log.objective[-1], rel=1e-13, abs=0) and least.least_eigenvalue > 0
        assert least.positions == pytest.approx(end, abs=1e-10)
        values[name] = least.objective
    assert values[elements[1]] < values["linear"]  # less stiff in bending and torsion
