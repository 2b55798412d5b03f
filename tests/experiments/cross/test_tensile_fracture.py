# SPDX-License-Identifier: BSD-3-Clause
"""Made-up blocks that part in a known plane, or do not: a row of cubes along x, pulled by its ends."""

from pathlib import Path

import numpy as np
import pytest
from measured import add_frames, number, value_of, write_trace

from experiments.cross.measurements import tensile_fracture as m

CELLS, SIDE = 8, 0.1  # cubes of 0.1 m in a row
LENGTH = CELLS * SIDE


def mesh() -> tuple[np.ndarray, np.ndarray]:
    """Six tetrahedra a cube about its diagonal."""
    corners = np.array([[x, y, z] for x in range(CELLS + 1) for y in (0, 1) for z in (0, 1)], dtype=float)
    cells = []
    for c in range(CELLS):
        at = {(x, y, z): 4 * (c + x) + 2 * y + z for x in (0, 1) for y in (0, 1) for z in (0, 1)}
        for a, b in ((0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)):
            first, second = np.zeros(3, dtype=int), np.zeros(3, dtype=int)
            first[a], second[[a, b]] = 1, 1
            cells.append([at[0, 0, 0], at[tuple(first)], at[tuple(second)], at[1, 1, 1]])
    rest = SIDE * corners - [0.5 * LENGTH, 0.5 * SIDE, 0.5 * SIDE]
    return rest, np.array(cells)


def write(folder: Path, method: str, slit: bool, gap_behind: float, energies: list[float], loose: int = 0) -> None:
    """At the end all that lies at larger x than gap_behind is moved away by four cells,
    and one more vertex far off."""
    rest, cells = mesh()
    moved = rest + np.where(rest[:, :1] > gap_behind, 4 * SIDE, 0.0) * [1, 0, 0]
    moved[:loose, 1] += 5.0
    scene = {
        "length_m": LENGTH,
        "side_m": SIDE,
        "cells_across": 1,
        "pull_m": 0.2 * LENGTH,
        "ramp_s": 0.02,
        "young_modulus_pa": 1e5,
        "flaw": "slit" if slit and method == "warped" else "none",
    }
    parameters = {"crack_notches": [0.0] * 9 if slit else []} if method == "meshless" else {}
    arrays = {"rest_positions": rest, "tetrahedra": cells}
    step = {"elastic_energy": np.array(energies)}
    path = write_trace(
        folder, f"{m.M.experiment} {method} {method}", scene=scene, parameters=parameters, arrays=arrays, step=step
    )
    last = len(energies) - 1
    end = np.vstack([moved, [9.0, 9.0, 9.0]])
    add_frames(path, [[(0, 0.0, {"positions": rest}), (last, 0.01 * last, {"positions": end})]])


def test_a_flat_crack_is_found_and_added_vertices_do_not_count(tmp_path: Path) -> None:
    write(tmp_path, "warped", False, 0.25 * SIDE, [0.0, 2.0, 1.0, 0.5])
    assert number(tmp_path, "tensile_fracture.spread_warped_whole") < 0.5
    assert "2 pieces" in value_of(tmp_path, "tensile_fracture.spread_warped_whole").note
    assert number(tmp_path, "tensile_fracture.energy_left_warped_whole") == pytest.approx(0.25)
    assert number(tmp_path, "tensile_fracture.pull_at_peak_warped_whole") == pytest.approx(0.1)


def test_debris_is_no_piece_but_widens_the_crack(tmp_path: Path) -> None:
    write(tmp_path, "meshless", True, 0.25 * SIDE, [0.0, 1.0, 2.0, 2.0], loose=1)
    assert number(tmp_path, "tensile_fracture.spread_meshless_slit") > 0.5
    assert "2 pieces" in value_of(tmp_path, "tensile_fracture.spread_meshless_slit").note
    assert number(tmp_path, "tensile_fracture.energy_left_meshless_slit") == pytest.approx(1.0)


def test_a_whole_block_has_no_crack(tmp_path: Path) -> None:
    write(tmp_path, "warped", True, LENGTH, [0.0, 1.0])
    assert "no edge is broken" in value_of(tmp_path, "tensile_fracture.spread_warped_slit").note
