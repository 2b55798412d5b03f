# SPDX-License-Identifier: BSD-3-Clause
"""Made-up stretched blocks: of one cloud of one row something is inserted, or Ω is another."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of
from node_traces import write_nodes

from deformbench_analysis.measurements.pauly_et_al_2005 import strong_deformation as m

ROWS = [(n, r, s) for n in ("elastic", "plastic") for r in ("cracks", "all") for s in (1.0, 2.0, 4.0)]
LINE = np.stack([np.arange(30.0), np.zeros(30), np.zeros(30)], axis=1)


def run(
    folder: Path, name: str, resampling: str, stretch: float, more: int = 0, omega: float = 0.0, flow: float = 2.0
) -> None:
    """Nodes on a line, supports of 10.5 spacings; the second of two clouds gets `more` nodes in its last step."""
    members = []
    for cloud in range(2):
        frames = []
        for step in range(3):
            extra = more if cloud == 1 and step == 2 else 0
            rest = np.concatenate([LINE, LINE[:extra] + 0.5])
            sums = np.full(len(rest), 20.0)
            sums[7] += omega if cloud == 1 else 0.0
            strains = np.zeros((len(rest), 3, 3))
            strains[:, 0, 0] = flow if cloud == 0 else 2 * flow
            frames.append(
                (
                    np.zeros((1, 3)),
                    {
                        "positions": rest * [stretch, 1, 1],
                        "node_rest_positions": rest,
                        "node_supports": np.full(len(rest), 10.5),
                        "node_omega": sums,
                        "node_plastic_strains": strains,
                    },
                )
            )
        members.append(frames)
    write_nodes(
        folder,
        m.EXPERIMENT,
        members,
        name=name,
        scene={"stretch": stretch},
        parameters={"resampling": resampling},
        coordinates={"scene.parameters.stretch": stretch, "method.parameters.resampling": resampling},
    )


def runs(folder: Path, other: tuple[str, str, float] | None = None, **about: float) -> None:
    for row in ROWS:
        run(folder, *row, **(about if row == other else {}))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["elastic", "plastic"])
def test_one_block_that_gets_nodes_is_seen(tmp_path: Path, name: str) -> None:
    runs(tmp_path, (name, "cracks", 2.0), more=3)
    assert number(tmp_path, "strong_deformation.inserted") == 3
    assert number(tmp_path, "strong_deformation.inserted_beyond_rest") == 0


def test_insertions_are_compared_with_those_of_the_block_at_rest(tmp_path: Path) -> None:
    runs(tmp_path, ("elastic", "all", 1.0), more=4)
    assert number(tmp_path, "strong_deformation.inserted_at_rest") == 4
    assert number(tmp_path, "strong_deformation.inserted_beyond_rest") == 4
    assert number(tmp_path, "strong_deformation.inserted") == 0


def test_one_sum_that_changes_is_seen(tmp_path: Path) -> None:
    runs(tmp_path, ("plastic", "cracks", 4.0), omega=-1e-3)
    assert number(tmp_path, "strong_deformation.sum_change") == pytest.approx(1e-3)


def test_the_flow_is_that_of_the_cloud_that_flows_least(tmp_path: Path) -> None:
    runs(tmp_path, ("plastic", "all", 4.0), flow=0.5)
    assert number(tmp_path, "strong_deformation.plastic_strain") == pytest.approx(0.5)


def test_neighbours_are_counted_about_the_nodes_as_they_are(tmp_path: Path) -> None:
    runs(tmp_path)
    # Two on either side of a stretched line, ten at rest; at its ends fewer.
    rest = np.array([min(k, 10) + min(29 - k, 10) + 1 for k in range(30)])
    now = np.array([min(k, 2) + min(29 - k, 2) + 1 for k in range(30)])
    assert number(tmp_path, "strong_deformation.neighbours_in_motion") == pytest.approx(now.mean() / rest.mean())
    assert number(tmp_path, "strong_deformation.few_in_motion") == 1
    assert number(tmp_path, "strong_deformation.few_in_rest") == 0


def test_without_a_stretched_run_there_is_nothing_to_count(tmp_path: Path) -> None:
    run(tmp_path, "elastic", "cracks", 1.0)
    assert "no stretched run" in value_of(tmp_path, "strong_deformation.inserted").note
