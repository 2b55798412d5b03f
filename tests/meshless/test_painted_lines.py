# SPDX-License-Identifier: BSD-3-Clause
"""Lines painted on a block that is pulled: each opens at a threshold of its own, and nowhere else does anything."""

import json
import os
import subprocess
from pathlib import Path

import h5py
import numpy as np
import pytest

HERE = Path(__file__).resolve().parent
THRESHOLDS = {0.8: 4e3, 2.2: 6e3}  # Pa, by where along the block the line is


@pytest.fixture(scope="module")
def starts(tmp_path_factory: pytest.TempPathFactory) -> np.ndarray:
    """Place, normal, tension and threshold of every start, [s, 8]."""
    folder = tmp_path_factory.mktemp("painted")
    lines = [number for x, pa in THRESHOLDS.items() for number in (x, -0.5, 0.5, x, 0.5, 0.5, pa)]
    declaration = {
        "id": "trial/painted_lines",
        "doc": "A block that is pulled, with two painted lines of different thresholds.",
        "exploratory": True,
        "scene": {
            "name": "strained_block",
            "parameters": {"nodes_across": 4, "pull_m": 0.6, "ramp_end_s": 0.2, "young_modulus_pa": 1e5},
        },
        "methods": [
            {
                "name": "painted",
                "method": "meshless",
                "parameters": {
                    "crack_stress": "nodes",
                    "crack_surfel_radius_m": 0.2,
                    "crack_nodes_start": False,
                    "crack_speed_m_s_pa": 0.0,
                    "crack_raised_radius_m": 0.0,
                    "crack_most_starts": 9,
                    "crack_painted": lines,
                },
            }
        ],
        "schedule": {"steps": 80},
        "channels": {"frame": {"every": 80, "names": ["positions"], "arrays": ["crack_starts"]}},
        "tiers": {"smoke": {}, "paper": {}},
    }
    path = folder / "painted_lines.json"
    path.write_text(json.dumps(declaration))
    command = os.environ.get("DEFORMBENCH", str(HERE.parents[1] / "build/release/bin/deformbench"))
    subprocess.run(
        [command, "run", str(path), "--tier", "smoke", "--out", str(folder / "r")], check=True, capture_output=True
    )
    (trace,) = (folder / "r").rglob("*.h5")
    with h5py.File(trace) as file:
        last = max(file["frames"], key=int)
        return np.asarray(file["frames"][last]["crack_starts"])


def test_every_line_opens_and_nothing_else(starts: np.ndarray) -> None:
    assert set(np.round(starts[:, 0], 9)) == set(THRESHOLDS)
    assert np.all(starts[:, 2] == 0.5)


@pytest.mark.parametrize("x", THRESHOLDS)
def test_a_line_opens_just_above_its_own_threshold(starts: np.ndarray, x: float) -> None:
    on_line = starts[np.abs(starts[:, 0] - x) < 1e-9]
    assert np.all(on_line[:, 7] == THRESHOLDS[x])
    assert np.all(on_line[:, 6] > THRESHOLDS[x])
    assert on_line[0, 6] < 1.05 * THRESHOLDS[x]
