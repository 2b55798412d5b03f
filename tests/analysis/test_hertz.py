# SPDX-License-Identifier: BSD-3-Clause
"""A quarter of a half ball is pressed on a plane: the radius of contact against Hertz, a³ = 3FR/4E*, on two meshes."""

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
from outside_runs import COMMAND

from deformbench_analysis.trace import Trace

R, A = 0.1, 0.005  # m, radii of the ball and of the contact that the push aims at
YOUNG, POISSON = 1e6, 0.4
GAP = 1e-3 * A**2 / R  # m, d̂: a thousandth of the approach
STIFFNESS = YOUNG / (1 - POISSON**2)  # E*, Pa, against a rigid plane


def graded(cells: int) -> np.ndarray:
    """0 … R: so many cells over the radius of contact, as long ones up to half as far again, then by a third longer
    each."""
    ends = [i * A / cells for i in range(cells * 3 // 2 + 1)]
    while ends[-1] < R:
        ends.append(ends[-1] + (ends[-1] - ends[-2]) * 4 / 3)
    return np.array(ends) * (R / ends[-1])


def quarter_of_a_half_ball(cells: int) -> tuple[np.ndarray, np.ndarray]:
    """The octant x, y, −z ≥ 0 of a cube, each of its shells made round; its pole is GAP above z = −R."""
    ends = graded(cells)
    n = len(ends)
    at = np.stack(np.meshgrid(ends, ends, ends - R, indexing="ij"), axis=-1).reshape(-1, 3)
    size = np.linalg.norm(at, axis=1)
    at *= np.divide(np.abs(at).max(axis=1), size, out=np.zeros_like(size), where=size > 0)[:, None]
    index = np.arange(n**3).reshape(n, n, n)
    tetrahedra = []
    for order in ((0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1), (2, 1, 0), (1, 0, 2)):
        low, corners = np.zeros(3, int), []
        for axis in (None, *order):
            if axis is not None:
                low[axis] = 1
            corners.append(index[tuple(slice(k, n - 1 + k) for k in low)].ravel())
        mixed = order in ((0, 1, 2), (1, 2, 0), (2, 0, 1))
        tetrahedra.append(np.stack(corners if mixed else [corners[i] for i in (0, 2, 1, 3)], axis=1))
    return at, np.concatenate(tetrahedra)


def pressed(folder: Path, cells: int, method: str) -> tuple[float, float, float]:
    """Radius of contact and of Hertz by the force on the plane, and the force that holds the top over it."""
    rest, tetrahedra = quarter_of_a_half_ball(cells)
    top = [0.0, 0.0, 1.0]
    scene = {
        "format": "deformbench-scene",
        "format_version": 1,
        "name": "hertz",
        "time_step_s": 1.0,
        "body": {"kind": "tetrahedra", "vertices_m": rest.tolist(), "tetrahedra": tetrahedra.tolist()},
        "materials": [{"id": "ball", "young_modulus_pa": YOUNG, "poisson_ratio": POISSON, "density_kg_m3": 1.0}],
        "planes": [{"normal": top, "offset_m": -R - GAP}],
        "prescribed_motions": [
            {"vertices": {"plane": {"normal": [1, 0, 0], "offset_m": 0.0}}, "components": ["x"]},
            {"vertices": {"plane": {"normal": [0, 1, 0], "offset_m": 0.0}}, "components": ["y"]},
            {
                "vertices": {"plane": {"normal": top, "offset_m": 0.0}},
                "components": ["z"],
                "translation_m": [0.0, 0.0, -1.2 * A**2 / R],
                "ramp": {"end_s": 4.0},
            },
        ],
    }
    (folder / "hertz.json").write_text(json.dumps(scene), encoding="utf-8")
    words = [COMMAND, "simulate", folder / "hertz.json", "--method", method, "--steps", "5", "--out", folder / "out"]
    settings = [f"method.parameters.contact_distance_m={GAP}"]
    run = subprocess.run(
        [*words, "--set", *settings, "--channels", "elastic_forces", "--quiet"], capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout + run.stderr
    trace = Trace(next((folder / "out").rglob("*.h5")))
    force = -trace.series("step", "elastic_forces").values[-1][:, 2]
    is_top, below = rest[:, 2] > -1e-9, np.linalg.norm(rest, axis=1) > R - 1e-9
    load, off = force[below & ~is_top], np.linalg.norm(rest[below & ~is_top, :2], axis=1)
    total = 4 * load.sum()
    hertz = (3 * total * R / (4 * STIFFNESS)) ** (1 / 3)
    # The pressure √(1 − r²/a²) has the mean square radius 2a²/5.
    return float(np.sqrt(2.5 * (load @ off**2) / load.sum())), float(hertz), float(-4 * force[is_top].sum() / total)


@pytest.mark.skipif(not COMMAND, reason="DEFORMBENCH names no command")
@pytest.mark.parametrize("method", ["implicit_fem", "linear_fem"])
def test_a_ball_on_a_plane_touches_it_as_hertz_has_it(tmp_path: Path, method: str) -> None:
    errors = []
    for cells in (2, 4):
        (tmp_path / str(cells)).mkdir()
        radius, hertz, held = pressed(tmp_path / str(cells), cells, method)
        assert held == pytest.approx(1.0, abs=1e-6)  # what presses is what is carried
        errors.append(radius / hertz - 1)
    assert abs(errors[1]) < 0.03 and abs(errors[1]) < abs(errors[0]), errors
