# SPDX-License-Identifier: BSD-3-Clause
"""Made-up stretched bars: of one cloud of one row something is inserted, or Ω is another."""

from pathlib import Path

import numpy as np
import pytest
from measured import number
from node_traces import write_nodes

from experiments.pauly_et_al_2005.measurements import strong_deformation as m

ROWS = [(n, a, s) for n in ("elastic", "plastic", "not_resampled") for a in (3, 6) for s in (1.0, 4.0)]
LINE = np.stack([np.arange(30.0), np.zeros(30), np.zeros(30)], axis=1)


def run(folder: Path, name: str, across: int, stretch: float, more: int = 0, omega: float = 0.0, lost: int = 0) -> None:
    """Nodes on a line, supports of 5.5 spacings; of the second of two clouds `more` nodes come in the last step
    beside the first ones, and `lost` nodes are far away there."""
    members = []
    for cloud in range(2):
        frames = []
        for step in range(3):
            extra = more if cloud == 1 and step == 2 else 0
            x = np.concatenate([LINE, LINE[:extra] + 0.5])
            if cloud == 1:
                x[30 - lost : 30, 1] = 100.0 * np.arange(1, lost + 1)
            sums = np.full(len(x), 11.0)
            sums[7] += omega if cloud == 1 else 0.0
            arrays = {
                "positions": x,
                "node_rest_positions": x,
                "node_supports": np.full(len(x), 5.5),
                "node_omega": sums,
            }
            frames.append((np.zeros((1, 3)), arrays))
        members.append(frames)
    coordinates = {"scene.parameters.stretch": stretch, "scene.parameters.nodes_across": across}
    scene = {"length_m": 4.0, "side_m": 1.0, "support_ratio": 2.2}
    write_nodes(folder, m.M.experiment, members, name=name, scene=scene, coordinates=coordinates)


def runs(folder: Path, other: tuple[str, int, float] | None = None, **about: float) -> None:
    for row in ROWS:
        run(folder, *row, **(about if row == other else {}))  # type: ignore[arg-type]


@pytest.mark.parametrize("across, stretch", [(3, 1.0), (6, 4.0)])
def test_an_elastic_bar_that_gets_nodes_is_seen(tmp_path: Path, across: int, stretch: float) -> None:
    runs(tmp_path, ("elastic", across, stretch), more=3)
    assert number(tmp_path, "strong_deformation.inserted_elastic") == 3
    assert number(tmp_path, "strong_deformation.inserted_at_rest") == 0


def test_a_bar_at_rest_that_gets_nodes_is_seen(tmp_path: Path) -> None:
    runs(tmp_path, ("plastic", 6, 1.0), more=4)
    assert number(tmp_path, "strong_deformation.inserted_at_rest") == 4
    assert number(tmp_path, "strong_deformation.inserted_thick") == 0


def test_one_sum_of_an_elastic_bar_that_changes_is_seen(tmp_path: Path) -> None:
    runs(tmp_path, ("elastic", 3, 4.0), omega=-1e-3)
    assert number(tmp_path, "strong_deformation.sum_change_elastic") == pytest.approx(1e-3)


def test_nodes_that_are_far_from_others_are_counted_where_they_are(tmp_path: Path) -> None:
    # Ten of a line have fewer than ten in reach, five at either end; seven that are far away more,
    # two at that end among them.
    runs(tmp_path, ("not_resampled", 3, 4.0), lost=7)
    line = np.array([min(k, 5) + min(22 - k, 5) + 1 for k in range(23)])
    assert number(tmp_path, "strong_deformation.few") == pytest.approx((np.count_nonzero(line < 10) + 7) / 30)
    assert number(tmp_path, "strong_deformation.few_resampled") == pytest.approx(8 / 30)


def test_the_gain_is_that_of_first_nodes_which_lacked_neighbours(tmp_path: Path) -> None:
    runs(tmp_path, ("not_resampled", 3, 4.0), lost=7)
    # The first cloud is as it was: nothing is gained there.
    assert number(tmp_path, "strong_deformation.sum_gain") == pytest.approx(1.0)


def test_gradients_of_a_fine_lattice_are_right_and_of_a_lost_node_wrong() -> None:
    grid = np.indices((9, 9, 9)).reshape(3, -1).T * 0.05
    supports = np.full(len(grid), 0.11)
    assert m.gradient_error(grid, supports) < 0.1
    apart = grid.copy()
    apart[:100] += [[5, 0, 0]] * np.arange(1, 101)[:, None]
    assert m.gradient_error(apart, supports) > 0.5


def test_where_nodes_are_inserted_is_predicted_from_what_is_declared(tmp_path: Path) -> None:
    run(tmp_path, "predicted", 3, 4.0, more=2)  # 2.2 · 9 < 10 · 4: both clouds should get nodes, one does
    run(tmp_path, "predicted", 6, 4.0)  # 2.2 · 36 > 10 · 4
    run(tmp_path, "predicted", 2, 1.0)  # not stretched
    assert number(tmp_path, "strong_deformation.predicted_share") == pytest.approx(5 / 6)
    assert number(tmp_path, "strong_deformation.predicted_share_spread") == pytest.approx(np.sqrt(0.75 * 0.25 / 6))
