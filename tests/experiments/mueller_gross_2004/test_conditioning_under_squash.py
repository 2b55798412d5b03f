# SPDX-License-Identifier: BSD-3-Clause
"""A squashed beam: one law, one time step, one pose is worse than the others."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace

J = np.array([1.0, 0.1, 0.01, 0.001])


def cell(
    folder: Path,
    name: str,
    cond: np.ndarray,
    *,
    law: str = "",
    dt: float = 0.1,
    twist: float = 0.0,
    hessian: str = "exact",
    negative: float = 0.0,
    j: np.ndarray = J,
) -> None:
    spectrum = np.stack([cond * 0, cond * 0, np.ones_like(cond), cond, np.full_like(cond, negative)], axis=1)
    method = "warped_fem" if name == "warped" else "implicit_fem"
    write_trace(
        folder,
        f"mueller_gross_2004/conditioning_under_squash {method} {name}",
        coordinates={"scene.parameters.time_step_s": dt, "twist": twist, "law": law, "hessian": hessian},
        parameters={"law": law, "hessian": hessian} if law else {},
        schedule={"poses": {"field": "squash", "parameters": {"twist_deg": twist}, "values": [float(v) for v in j]}},
        arrays={"masses": np.ones(12), "prescribed_vertices": np.arange(2)},
        operator={"system_spectrum": spectrum, "min_det_f": j[:, None], "pose_parameter": j},
    )


def test_a_slope_is_that_of_the_logarithms(tmp_path: Path) -> None:
    cell(tmp_path, "nonlinear", 5 * J**-1.5, law="neo_hookean")
    assert number(tmp_path, "conditioning_under_squash.slope_neo_hookean") == pytest.approx(-1.5)
    assert number(tmp_path, "conditioning_under_squash.slope_of_any_law") == pytest.approx(-1.5)
    assert number(tmp_path, "conditioning_under_squash.neo_hookean_growth") == pytest.approx(1000**1.5)


@pytest.mark.parametrize("j", [np.array([1.0, 0.5, 0.1, 0.01]), np.array([1.0, 0.1, 0.001, -0.001])])
def test_fewer_decades_or_an_inverted_element_are_no_slope(tmp_path: Path, j: np.ndarray) -> None:
    cell(tmp_path, "nonlinear", 5 * np.abs(j) ** -2.0, law="neo_hookean", j=j)
    assert "expected 3 decades" in value_of(tmp_path, "conditioning_under_squash.slope_neo_hookean").note


def test_a_matrix_without_eigenvalues_is_missing(tmp_path: Path) -> None:
    cell(tmp_path, "nonlinear", np.array([1.0, np.nan, 1.0, 1.0]), law="neo_hookean")
    assert "no eigenvalues" in value_of(tmp_path, "conditioning_under_squash.slope_neo_hookean").note


def test_negative_eigenvalues_are_counted_of_the_free_rows(tmp_path: Path) -> None:
    cell(tmp_path, "nonlinear", J, law="st_venant_kirchhoff", negative=6.0)
    assert number(tmp_path, "conditioning_under_squash.negative_share") == pytest.approx(6 / 30)


def test_the_warped_growth_is_over_the_body_at_rest_at_the_same_time_step(tmp_path: Path) -> None:
    for dt, rest in ((0.1, 10.0), (1.0, 100.0)):
        cell(tmp_path, "warped", rest * np.array([1.0, 1.1, 1.0, 0.9]), dt=dt)
        cell(tmp_path, "warped", rest * np.array([1.2, 1.0, 1.3 if dt == 1.0 else 1.0, 0.7]), dt=dt, twist=90.0)
    assert number(tmp_path, "conditioning_under_squash.warped_growth") == pytest.approx(1.3)
    assert number(tmp_path, "conditioning_under_squash.warped_decline") == pytest.approx(0.7)


def test_without_the_body_at_rest_there_is_no_growth(tmp_path: Path) -> None:
    cell(tmp_path, "warped", J, dt=0.1, j=0.9 * J)
    assert "no pose at rest" in value_of(tmp_path, "conditioning_under_squash.warped_growth").note
    cell(tmp_path / "twisted", "warped", J, twist=90.0)
    assert "no cell with" in value_of(tmp_path / "twisted", "conditioning_under_squash.warped_growth").note
