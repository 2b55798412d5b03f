# SPDX-License-Identifier: BSD-3-Clause
"""The figure of weights near a crack, from made-up fields with known slopes."""

from pathlib import Path

import numpy as np
import pytest
from made_up_traces import add_frames, write_trace
from figure_traces import drawn

from experiments.pauly_et_al_2005.measurements import weight_slice as m
from deformbench_analysis.trace import Trace

H = 0.5
NODES = np.array([[-0.05, -0.1, 0.0], [-0.15, 0.1, 0.0], [0.2, 0.1, 0.0], [0.3, -0.2, 0.0]])


def sliced(folder: Path, rule: str, jump: float) -> None:
    """A field that rises by `jump` between two columns ahead of the front, and is even elsewhere."""
    parameters = {"weights": rule, "opacity": 1.0}
    path = write_trace(
        folder, f"{m.M.experiment} meshless {rule}", parameters=parameters, frame={"positions": np.zeros((1, 4, 3))}
    )
    along = H * np.linspace(-1.2, 1.2, m.SIDE)
    x, y = np.meshgrid(along, along)
    weight = np.where(x > 0.1, jump, 0.0)
    points = np.stack([np.zeros_like(x), x, y, 0 * x, weight, 0.5 * weight], axis=-1).reshape(-1, 6)
    frame = {"weight_slice": points, "node_rest_positions": NODES, "node_supports": np.full(4, H)}
    add_frames(path, [[(0, 0.0, frame)]])


def test_slopes_in_the_table_are_those_put_in(tmp_path: Path) -> None:
    sliced(tmp_path, "visibility", 0.6)
    sliced(tmp_path, "transparency", 0.3)
    _, rows = drawn(tmp_path, "fig_02_weights", tmp_path / "out")
    spacing = 2.4 / (m.SIDE - 1)
    for row, jump in zip(rows, (0.6, 0.3)):
        values = [float(v) for k, v in row.items() if k != "rule"]
        assert values == pytest.approx([jump / spacing, 0.5 * jump / spacing], rel=1e-3)


def test_a_slice_is_in_supports_about_the_front(tmp_path: Path) -> None:
    sliced(tmp_path, "transparency", 0.1)
    found = m.slice_of(Trace(next(tmp_path.rglob("*.h5"))))
    assert (found.u[0], found.u[-1], found.v[0], found.v[-1]) == pytest.approx((-1.2, 1.2, -1.2, 1.2))
    assert found.nodes == pytest.approx(NODES[:, :2] / H)
    assert found.v[found.row_at(0.2)] == pytest.approx(0.2, abs=0.02)
