# SPDX-License-Identifier: BSD-3-Clause
"""Made-up swings of bars of nodes: the frequencies are those put in, the worst bar decides."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace
from node_traces import cloud, write_nodes

NAME = "pauly_et_al_2005/bar_vibration"
MESH = "pauly_et_al_2005/mesh_bar_vibration"
FIXED = 2.5  # Hz, c/4L


def swing(ratio: float, unit: float, rows: int = 1201) -> np.ndarray:
    """A tip that swings, with a tenth of three times the frequency and a constant."""
    time = 0.01 * np.arange(rows)
    u = np.zeros((rows, 3))
    u[:, 0] = 0.3 + np.cos(2 * np.pi * ratio * unit * time) + 0.1 * np.cos(6 * np.pi * ratio * unit * time)
    u[:, 1] = 5 * np.cos(2 * np.pi * 0.7 * time)
    return u


def run(folder: Path, name: str, jitter: float, ratio: float, rows: int = 1201) -> None:
    nodes = cloud(2)
    frames = [[(nodes.rest, {"node_rest_positions": nodes.rest})]]
    series = {"step": {"tip_displacement": swing(ratio, 2 * FIXED, rows)}}
    references = {"wave_speeds": {"first_axial_frequency_hz": FIXED}}
    write_nodes(folder, NAME, frames, name=name, scene={"jitter": jitter}, series=series, references=references)


@pytest.mark.parametrize("worst", [0.0, 0.3])
def test_ratios_are_those_of_the_worst_bar(tmp_path: Path, worst: float) -> None:
    for jitter in (0.0, 0.3):
        at = jitter == worst
        run(tmp_path, "as_printed", jitter, 0.25 if at else 0.5)
        run(tmp_path, "consistent", jitter, 1.25 if at else 1.0)
        run(tmp_path, "kernel_sum", jitter, 0.75 if at else 1.1)
        run(tmp_path, "twice_green", jitter, 2.75 if at else 2.0)
    assert number(tmp_path, "bar_vibration.printed_least") == pytest.approx(0.25, rel=1e-3)
    assert number(tmp_path, "bar_vibration.consistent_least") == pytest.approx(1, rel=1e-3)
    assert number(tmp_path, "bar_vibration.consistent_largest") == pytest.approx(1.25, rel=1e-3)
    assert number(tmp_path, "bar_vibration.kernel_sum_error") == pytest.approx(0.25, rel=1e-2)
    assert number(tmp_path, "bar_vibration.half_ratio_error") == pytest.approx(0.2, rel=1e-2)


def test_a_run_of_too_few_swings_has_no_frequency(tmp_path: Path) -> None:
    run(tmp_path, "as_printed", 0.0, 0.5, rows=121)
    assert "swings" in value_of(tmp_path, "bar_vibration.printed_least").note


def test_bars_on_a_mesh_are_told_apart(tmp_path: Path) -> None:
    ratios = {"as_printed": 0.25, "consistent": 2.0, "explicit_fem": 1.01, "warped_fem": 0.98}
    for name, ratio in ratios.items():
        references = {"wave_speeds": {"first_axial_frequency_hz": FIXED}}
        step = {"tip_displacement": swing(ratio, FIXED)}
        write_trace(tmp_path, f"{MESH} meshless {name}", step=step, references=references)
    for name, ratio in ratios.items():
        short = name.replace("as_printed", "printed")
        assert number(tmp_path, f"mesh_bar_vibration.{short}_ratio") == pytest.approx(ratio, rel=1e-3)
