# SPDX-License-Identifier: BSD-3-Clause
"""The figures that compare cloth by forces, XPBD and PBD, from synthetic traces with known content."""

import sys
from pathlib import Path

import numpy as np
import pytest
from figure_traces import cell, drawn

sys.path.insert(0, str(Path(__file__).parents[1] / "experiments" / "cross"))

from test_cloth_drape import bowl, square  # noqa: E402

ROWS = {("reference", 0): 0.0, ("force_cloth", 0): 0.01, ("xpbd", 2): 0.04, ("xpbd", 20): 0.02, ("pbd", 20): 0.08}
SCENE = {"side_m": 2.0, "vertices_across": 2, "slope_deg": 30.0}


def of(name: str, iterations: int) -> dict[str, float]:
    """Coordinates of a cell."""
    counted = {"method.parameters.iterations": iterations} if iterations else {}
    return {"time_step_s": 0.02, **counted}


@pytest.mark.parametrize("figure", ["cloth_comparison", "cloth_curtain"])
def test_distances_are_those_put_in(tmp_path: Path, figure: str) -> None:
    for (name, iterations), off in ROWS.items():
        x = np.zeros((6, 4, 3))
        x[2:, 2, 0] = 2 * SCENE["side_m"] * off  # one vertex of four: half of its distance
        x[2, 2, 0] *= 3
        step = {"positions": x, "substeps": np.full(6, 4.0), "penetration_depth": np.zeros(6)}
        cell(tmp_path, f"cross/{figure} {name} {name}", of(name, iterations), SCENE, dt=0.02, step=step)
    _, rows = drawn(tmp_path, figure, tmp_path / "out")
    largest = next(k for k in rows[0] if k.endswith("distance / side"))
    found = {r["row"]: float(r[largest]) for r in rows}
    assert found == pytest.approx({"force_cloth": 0.03, "xpbd_2": 0.12, "xpbd_20": 0.06, "pbd_20": 0.24})
    if figure == "cloth_curtain":
        assert {r["row"]: float(r["distance at the end / side"]) for r in rows}["pbd_20"] == pytest.approx(0.08)
    assert {int(r["substeps"]) for r in rows} == {4}


def test_drapes_have_the_heights_and_distances_put_in(tmp_path: Path) -> None:
    shapes = [bowl(np.random.default_rng(seed)) for seed in (3, 4)]
    for (name, iterations), off in ROWS.items():
        x = 2.0 * np.stack([np.stack([square()[0], s + [0, off * k, 0]]) for k, s in zip((0, 2), shapes)])
        arrays = {"triangles": square()[1], "rest_positions": square()[0]}
        step = {"substeps": np.full((2, 2), 4.0)}
        run = f"cross/cloth_drape {name} {name}"
        scene = {**SCENE, "radius_m": 0.5}
        cell(tmp_path, run, of(name, iterations), scene, seeds=2, arrays=arrays, frame={"positions": x}, step=step)
    entry, rows = drawn(tmp_path, "cloth_drape", tmp_path / "out")
    by = {r["row"]: r for r in rows}
    assert {k: float(r["distance / side"]) for k, r in by.items()} == pytest.approx(
        {"reference": 0, "force_cloth": 0.01, "xpbd_2": 0.04, "xpbd_20": 0.02, "pbd_20": 0.08}, abs=1e-9
    )
    assert float(by["pbd_20"]["worst vertex / side"]) == pytest.approx(0.16)
    assert float(by["pbd_20"]["mean height / side"]) == pytest.approx(np.mean(shapes, axis=(0, 1))[1] + 0.08, abs=1e-3)
    assert len({r["drape coefficient"] for r in rows}) == 1, "a shadow does not change with height"
    assert "2 perturbed starts" in entry.caption
