# SPDX-License-Identifier: BSD-3-Clause
"""Made-up masses and volumes of clouds: one cloud has others."""

from pathlib import Path

import numpy as np
import pytest
from measured import number
from node_traces import arrays_of, cloud, write_nodes

NAME = "pauly_et_al_2005/node_mass"
RATIOS = (2.0, 3.0)


def run(folder: Path, name: str, ratio: float, factor: float = 1.0, volume: float = 1.0) -> float:
    """Σm/(ρV) as it should be; masses are `factor` times that, volumes `volume` times the kernel sum's.
    One mass and one volume carry it."""
    nodes = cloud(3, ratio)
    h = nodes.supports**3
    masses = {
        "as_printed": 4 / 3 * np.pi * h * 1000,
        "consistent": 1000 * h / h.sum(),
        "kernel_sum": 1000 * nodes.volumes,
    }[name]
    right = masses.sum() / 1000
    masses[5] += (factor - 1) * masses.sum()
    arrays = {**arrays_of(nodes), "node_masses": masses}
    arrays["node_volumes"] = arrays["node_volumes"].copy()
    arrays["node_volumes"][3] += (volume - 1) * nodes.volumes.sum()
    frames = [[(nodes.rest, arrays)]]
    scene = {"support_ratio": ratio, "side_m": 1.0, "length_m": 1.0, "nodes_across": 3}
    write_nodes(folder, NAME, frames, name=name, scene=scene)
    return float(right)


@pytest.mark.parametrize("worst", RATIOS)
def test_each_rule_is_judged_by_its_worst_cloud(tmp_path: Path, worst: float) -> None:
    printed = []
    for ratio in RATIOS:
        extra = 1.5 if ratio == worst else 1.0
        printed.append(run(tmp_path, "as_printed", ratio) * 1.0)
        run(tmp_path, "consistent", ratio, extra)
        run(tmp_path, "kernel_sum", ratio, volume=extra)
    volumes = [cloud(3, r).volumes.sum() for r in RATIOS]
    assert number(tmp_path, "node_mass.printed_least") == pytest.approx(min(printed))
    assert number(tmp_path, "node_mass.printed_largest") == pytest.approx(max(printed))
    assert number(tmp_path, "node_mass.printed_rule_error") < 1e-12
    assert number(tmp_path, "node_mass.consistent_error") == pytest.approx(0.5)
    assert number(tmp_path, "node_mass.volume_largest") == pytest.approx(
        max(v * (1.5 if r == worst else 1) for v, r in zip(volumes, RATIOS))
    )
    assert number(tmp_path, "node_mass.volume_least") == pytest.approx(min(volumes))


def test_a_printed_mass_by_another_rule_is_seen(tmp_path: Path) -> None:
    run(tmp_path, "as_printed", 2.0)
    run(tmp_path, "as_printed", 3.0, factor=1.25)
    assert number(tmp_path, "node_mass.printed_rule_error") == pytest.approx(0.25 * 27)
