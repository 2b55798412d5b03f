# SPDX-License-Identifier: BSD-3-Clause
"""The figure of convergence, from made-up iterations: its numbers are those put in."""

import re
from pathlib import Path

import numpy as np
import pytest
from made_up_traces import write_trace
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
        cell(folder, f"cross/convergence x_fem {name}", coordinates, iteration=rows(objective))
        exact = rows([LEAST + DROP, LEAST])
        cell(folder, f"cross/convergence x_fem {name}_reference", law, iteration=exact)


def sheet(folder: Path, objective: np.ndarray) -> Path:
    cell(
        folder,
        "cross/cloth_convergence xpbd xpbd",
        {"method.parameters.order": "forward", "method.parameters.stretch_compliance_m_per_n": 1e-4},
        {"time_step_s": 0.03, "gravity_m_s2": [0, -9.81, 0]},
        parameters={"bend_compliance_rad2_per_j": 5.0},
        arrays={
            "rest_positions": REST,
            "triangles": np.array([[0, 1, 3], [0, 3, 2]], dtype=np.int32),
            "masses": np.full(4, 0.002),
            "prescribed_vertices": np.array([0]),
        },
        iteration=rows(objective),
        frame={"positions": np.array([1.05 * REST, REST])},
    )
    return next((folder / "cross" / "cloth_convergence").glob("*.h5"))


def test_iterations_to_every_level_are_those_put_in(tmp_path: Path) -> None:
    bars(tmp_path)
    cloth = CompliantCloth(Trace(sheet(tmp_path, np.array([1.0, 0.0]))))
    predicted = np.where(cloth.free[:, None], cloth.target, cloth.start)
    start, least = cloth.objective(predicted), cloth.objective(cloth.minimise())
    sheet(tmp_path, least + (start - least) * np.array([1.0, 0.5, 5e-3, 2e-3, 1e-5]))
    entry, found = drawn(tmp_path, "convergence", tmp_path / "out")
    assert entry is not None and "iteration" in entry.caption
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


def test_the_scorecard_says_what_is_kept_and_links_every_number_to_its_trace(tmp_path: Path) -> None:
    rest = np.eye(4, 3)
    for name, moved in (("mine", 0.0), ("theirs", 1e-3)):
        x = np.tile(rest, (4, 1, 1))
        x[2, 1, 1] += moved  # in one row alone
        for experiment in ("cross/scorecard_rest", "cross/scorecard_cloth_turned"):
            arrays = {"rest_positions": rest}
            step = {"positions": x}
            write_trace(tmp_path / "results", f"{experiment} {name}", schedule={"steps": 3}, step=step, arrays=arrays)
    entry, rows = drawn(tmp_path / "results", "scorecard", tmp_path / "out")
    by = {(r["method"], r["body"], r["invariant"]): r for r in rows}
    assert by["mine", "tetrahedra", "rest"]["kept"] == "True"
    assert by["theirs", "tetrahedra", "rest"]["kept"] == "False"
    assert float(by["theirs", "cloth", "rotation"]["value"]) == pytest.approx(1e-3 / np.sqrt(3))
    assert "not run in" in by["mine", "tetrahedra", "energy"]["reason"]
    assert "2 entries are kept and 2 are not" in entry.caption
    links = re.findall(r'<td style="[^"]*"><a href="([^"]+)"', entry.tables[0])
    assert len(links) == 4 and all((tmp_path / "out" / link).resolve().is_file() for link in links)
    assert all(by[k]["cell"] in " ".join(links) for k in by if by[k]["value"])


def test_the_cloth_figure_has_the_stretches_that_were_put_in(tmp_path: Path) -> None:
    late = {("naive_pbd", 1): 0.4, ("naive_pbd", 4): 0.1, ("bullet_cloth", 1): 0.5, ("bullet_cloth", 4): 0.2}
    for (method, iterations), strain in late.items():
        step = {"edge_strain_rms": np.array([9.0, 9.0, strain, strain])}
        swept = {"method.parameters.iterations": iterations}
        cell(tmp_path, f"cross/cloth_stretch {method} {method}", swept, {"vertices_across": 20}, step=step)
    entry, table = drawn(tmp_path, "cloth_stretch", tmp_path / "out")
    found = {(r["row"], int(r["iterations"])): float(r["stretch"]) for r in table}
    assert found == pytest.approx(late)
    assert "20 × 20 vertices" in entry.caption
