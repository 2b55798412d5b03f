# SPDX-License-Identifier: BSD-3-Clause
"""The figure of convergence, from made-up iterations: its numbers are those put in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from figure_traces import cell, drawn
from iteration_rows import rows

from deformbench_analysis.compliant_cloth import CompliantCloth
from deformbench_analysis.trace import Trace

LEAST, DROP = -3.0, 8.0  # J
REST = np.array([[0.1 * i, 0.0, -0.1 * j] for j in range(2) for i in range(2)])


def bars(folder: Path) -> None:
    """Newton's errors fall by 900 in an iteration, those of conjugate gradients by 9; references end at the least."""
    for name, coordinates, rate in (
        ("newton", {"method.parameters.law": "corotational", "method.parameters.hessian": "exact"}, 900.0),
        ("warped", {"method.parameters.cg_preconditioner": "jacobi"}, 9.0),
    ):
        law = {k: v for k, v in coordinates.items() if k.endswith("law")}
        objective = LEAST + DROP * rate ** -np.arange(8.0)
        cell(folder, "cross/convergence", "x_fem", name, coordinates, series={"iteration": rows(objective)})
        exact = rows([LEAST + DROP, LEAST])
        cell(folder, "cross/convergence", "x_fem", f"{name}_reference", law, series={"iteration": exact})


def sheet(folder: Path, objective: np.ndarray) -> Path:
    cell(
        folder,
        "cross/cloth_convergence",
        "xpbd",
        "xpbd",
        {"method.parameters.order": "forward", "method.parameters.stretch_compliance_m_per_n": 1e-4},
        {"time_step_s": 0.03, "gravity_m_s2": [0, -9.81, 0]},
        parameters={"bend_compliance_rad2_per_j": 5.0},
        arrays={
            "rest_positions": REST,
            "triangles": np.array([[0, 1, 3], [0, 3, 2]], dtype=np.int32),
            "masses": np.full(4, 0.002),
            "prescribed_vertices": np.array([0]),
        },
        series={"iteration": rows(objective), "frame": {"positions": np.array([1.05 * REST, REST])}},
    )
    return next((folder / "cross" / "cloth_convergence").glob("*.h5"))


def test_iterations_to_every_level_are_those_put_in(tmp_path: Path) -> None:
    bars(tmp_path)
    cloth = CompliantCloth(Trace(sheet(tmp_path, np.array([1.0, 0.0]))))
    predicted = np.where(cloth.free[:, None], cloth.target, cloth.start)
    start, least = cloth.objective(predicted), cloth.objective(cloth.minimise())
    sheet(tmp_path, least + (start - least) * np.array([1.0, 0.5, 5e-3, 2e-3, 1e-5]))
    result, found = drawn(tmp_path, "convergence", tmp_path / "out")
    assert result.entry is not None and "iteration" in result.entry.caption
    assert len(found) == 3
    by_solver = {r["solver"]: r for r in found}
    levels = [
        next(k for k in found[0] if k.startswith(f"iterations to {level}")) for level in ("0.01", "0.0001", "1e-06")
    ]

    def counts(solver: str) -> list[str]:
        return [by_solver[solver][k] for k in levels]

    assert [float(c) for c in counts("Newton")] == [1, 2, 3]
    assert [float(c) for c in counts("conjugate gradients")] == [3, 5, 7]
    of_cloth = counts("compliant projections")
    assert [float(c) for c in of_cloth[:2]] == [2, 4] and of_cloth[2] in ("", "nan", "—", "-")
