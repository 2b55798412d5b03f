# SPDX-License-Identifier: BSD-3-Clause
"""Made-up operators of free cubes: one member is softer."""

from pathlib import Path

import numpy as np
import pytest
from measured import number
from node_traces import arrays_of, cloud, write_nodes

from experiments.pauly_et_al_2005.measurements import spurious_modes as m

NAME = "pauly_et_al_2005/spurious_modes"


def count(nodes: object, masses: np.ndarray) -> int:
    values = np.linalg.eigvalsh(nodes.over_masses(masses).toarray())  # type: ignore[attr-defined]
    scale = np.sqrt(nodes.shear_modulus / 1000)  # type: ignore[attr-defined]
    return int(np.sum(np.sqrt(np.maximum(values, 0)) < 2.85 * scale)) - 6


def run(folder: Path, across: int, jitter: float, heavy: float = 1.0) -> list[int]:
    """Two seeds; the masses of the second are `heavy` times what they should be. How many modes are too low."""
    frames, counts = [], []
    for member in range(2):
        nodes = cloud(across, seed=member + 1, jitter=jitter)
        masses = 1000 * nodes.volumes * (heavy if member else 1.0)
        frames.append([(nodes.rest, {**arrays_of(nodes), "node_masses": masses})])
        counts.append(count(nodes, masses))
    scene = {"nodes_across": across, "jitter": jitter, "side_m": 1.0, "length_m": 1.0}
    write_nodes(folder, NAME, frames, scene=scene)
    return counts


@pytest.mark.parametrize("heavy", [1.0, 100.0])
def test_modes_are_counted_in_the_worst_member(tmp_path: Path, heavy: float) -> None:
    coarse, fine, lattice = run(tmp_path, 3, 0.3), run(tmp_path, 4, 0.3, heavy), run(tmp_path, 3, 0.0)
    assert number(tmp_path, "spurious_modes.most") == max(coarse + fine)
    assert number(tmp_path, "spurious_modes.fewest") == min(coarse + fine)
    assert number(tmp_path, "spurious_modes.of_lattice") == max(lattice)
    assert number(tmp_path, "spurious_modes.growth") == pytest.approx(min(fine) / max(coarse))
    assert number(tmp_path, "spurious_modes.rigid_frequency") < 1e-4
    assert number(tmp_path, "spurious_modes.lowest") > 0.01
    if heavy > 1:
        assert max(fine) == 3 * 64 - 6  # all of them are slow


def test_hexahedra_have_none_and_come_from_above() -> None:
    coarse, fine = m.hexahedra(0.33, 2), m.hexahedra(0.33, 4)
    assert (np.abs(fine[:6]) < 1e-4).all()
    assert m.LOWEST < fine[6] < coarse[6]
    assert fine[6] == pytest.approx(m.LOWEST, rel=0.07)
