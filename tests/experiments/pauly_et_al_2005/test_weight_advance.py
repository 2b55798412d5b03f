# SPDX-License-Identifier: BSD-3-Clause
"""Made-up pairs beside a crack that advances: one pair, one step or one member is unlike the others."""

from pathlib import Path

import numpy as np
import pytest
from cracked_traces import FRONT, STRIP, crack, write_members
from measured import number, value_of

from experiments.pauly_et_al_2005.measurements import cracked_weights as cw, weight_advance as m

RANDOM = np.random.default_rng(4)
NODES = RANDOM.uniform(-0.5, 0.5, (30, 3))
SUPPORTS = np.full(30, 0.7)
PAIRS = np.array([(i, j) for i in range(30) for j in range(30) if i != j and np.linalg.norm(NODES[i] - NODES[j]) < 0.7])


def frame(tip: float, opacity: float = 1.0) -> dict[str, np.ndarray]:
    """A crack whose front is at x = tip, with the weights that the analysis gives pairs."""
    arrays = {
        **crack(STRIP + [tip, 0, 0], FRONT + [tip, 0, 0]),
        "node_rest_positions": NODES,
        "node_supports": SUPPORTS,
        "pairs": PAIRS,
    }
    ratios, supports = m.ratios_of_pairs(arrays)
    weights = cw.blocked_weights(ratios * supports, supports, m.depths_of_pairs(arrays), "transparency", opacity)
    counts = np.array([len(PAIRS), 40, 20, 5])
    return {**arrays, "pair_weights": weights, "pair_weights_anew": weights.copy(), "weight_counts": counts}


def pairs_of_run(opacity: float = 1.0) -> list[dict[str, np.ndarray]]:
    return [frame(tip, opacity) for tip in (-2.0, -0.3, 0.0, 0.4, 3.0)]


def forces(frames: int, members: int = 2, across: float = 0.0) -> dict[str, np.ndarray]:
    """Forces that add up to zero on either side of the crack,
    but for a pull of the sides at each other in the last frame."""
    upper = NODES[:, 1] > 0
    values = np.zeros((members, frames, 30, 3))
    rows = np.random.default_rng(5).normal(size=(30, 3))
    for side in (upper, ~upper):
        rows[side] -= rows[side].mean(axis=0)
    values[:] = rows
    values[:, 0, upper] += 1.0
    values[-1, -1, upper] += across
    return {"elastic_forces": values}


def advance(folder: Path, last: list[dict[str, np.ndarray]], name: str = "transparency", across: float = 0.0) -> None:
    opacity = 2.0 if name == "opacity_2" else 1.0
    parameters = {"opacity": opacity}
    rows = forces(5, across=across)
    write_members(folder, m.M.experiment, [pairs_of_run(opacity), last], name=name, parameters=parameters, rows=rows)


def test_what_obeys_the_formula_passes(tmp_path: Path) -> None:
    advance(tmp_path, pairs_of_run())
    advance(tmp_path, pairs_of_run(2.0), "opacity_2")
    assert number(tmp_path, "weight_advance.weight_rise") <= 0.0
    assert number(tmp_path, "weight_advance.replay_difference") < 1e-14
    assert number(tmp_path, "weight_advance.stale_pairs") == 0
    assert number(tmp_path, "weight_advance.parts") == 2
    assert number(tmp_path, "weight_advance.cross_force") < 1e-14
    assert number(tmp_path, "weight_advance.force_before") > 0.1
    assert (
        0.8
        < number(tmp_path, "weight_advance.least_deepest_coupled")
        <= number(tmp_path, "weight_advance.deepest_coupled")
        <= 1.0
    )
    assert 1.0 <= number(tmp_path, "weight_advance.shallowest_parted") < 1.2


def test_a_pair_that_comes_nearer_again_is_found(tmp_path: Path) -> None:
    last = pairs_of_run()
    beside = np.flatnonzero((NODES[PAIRS, 1] > 0).all(axis=1))[0]  # both above the crack, which never parts them
    last[3]["pair_weights"][beside] += 1.0
    advance(tmp_path, last)
    assert number(tmp_path, "weight_advance.weight_rise") == pytest.approx(1.0)
    assert number(tmp_path, "weight_advance.replay_difference") == pytest.approx(1.0)
    assert number(tmp_path, "weight_advance.stale_pairs") == 1


def test_pairs_that_part_at_another_depth_are_found(tmp_path: Path) -> None:
    for name, opacity in (("deep", 2.0), ("shallow", 0.5)):
        advance(tmp_path / name, pairs_of_run(opacity))
        advance(tmp_path / name, pairs_of_run(2.0), "opacity_2")
    assert number(tmp_path / "deep", "weight_advance.deepest_coupled") > 1.5
    assert number(tmp_path / "shallow", "weight_advance.shallowest_parted") < 0.7


def test_a_force_across_the_cut_and_a_pair_across_it_are_found(tmp_path: Path) -> None:
    for name in ("force", "pair"):
        advance(tmp_path / name, pairs_of_run(2.0), "opacity_2")
    advance(tmp_path / "force", pairs_of_run(), across=0.1)
    assert number(tmp_path / "force", "weight_advance.cross_force") > 1e-2
    last = pairs_of_run()
    upper = NODES[:, 1] > 0
    across = np.flatnonzero(upper[PAIRS[:, 0]] != upper[PAIRS[:, 1]])[0]
    last[-1]["pair_weights"][across] = 1e-9
    advance(tmp_path / "pair", last)
    assert number(tmp_path / "pair", "weight_advance.parts") == 1


def test_a_crack_at_rest_changes_and_tests_nothing(tmp_path: Path) -> None:
    still = [frame(0.0) for _ in range(3)]
    for k in (1, 2):
        still[k]["weight_counts"] = np.array([len(PAIRS), 0, 0, 0])
    write_members(tmp_path / "still", m.M.experiment, [still, still], name="at_rest")
    assert number(tmp_path / "still", "weight_advance.changed_at_rest") == 0
    other = [dict(f) for f in still]
    other[2]["weight_counts"] = np.array([len(PAIRS), 3, 0, 0])
    write_members(tmp_path / "moving", m.M.experiment, [still, other], name="at_rest")
    assert number(tmp_path / "moving", "weight_advance.changed_at_rest") == 3


def test_the_length_of_a_front_is_that_within_the_block() -> None:
    low, high = np.array([0.0, -0.5, -0.5]), np.array([1.0, 0.5, 0.5])
    assert m.length_inside(np.array([[[0.5, 0, -9], [0.5, 0, 9]]]), low, high) == pytest.approx(1.0)
    assert m.length_inside(
        np.array([[[0.5, 0, 0.25], [0.5, 0, 9]], [[2.0, 0, -9], [2.0, 0, 9]]]), low, high
    ) == pytest.approx(0.25)
    assert m.length_inside(np.array([[[-1.0, 0, -1.0], [1.0, 0, 1.0]]]), low, high) == pytest.approx(0.5 * 2**0.5)


def sized(folder: Path, across: int, changed: list[int], step: float = 0.02) -> None:
    h, count = 2.2 / across, across**3
    frames = [
        {
            "crack_fronts": FRONT + [0.3 + step * k * h / 0.275, 0, 0],
            "node_supports": np.full(count, h),
            "node_rest_positions": np.zeros((count, 3)),
            "weight_counts": np.array([40 * count, 100, n, 1]),
        }
        for k, n in enumerate([0, *changed])
    ]
    scene = {"nodes_across": across, "length_m": 1.0, "side_m": 1.0}
    write_members(folder, m.SIZES.experiment, [frames, frames], name="transparency", scene=scene)


def test_shares_are_over_the_front_s_surroundings_and_fall_with_their_exponent(tmp_path: Path) -> None:
    for across in (8, 12, 16):
        sized(tmp_path, across, [4 * across, 4 * across])  # of 40 N pairs: N^(-2/3) / 10
    assert number(tmp_path, "weight_advance_sizes.exponent") == pytest.approx(-2 / 3, abs=1e-9)
    assert number(tmp_path, "weight_advance_sizes.share_over_scale") == pytest.approx(0.1 / 2.2**2)
    assert number(tmp_path, "weight_advance_sizes.longest_advance") == pytest.approx(0.02 / 0.275)
    assert number(tmp_path, "weight_advance_sizes.tested_per_changed") == pytest.approx(100 / 32)
    assert number(tmp_path, "weight_advance_sizes.tested_share") == pytest.approx(100 / (40 * 8**3))


def test_one_step_with_many_changes_is_found(tmp_path: Path) -> None:
    for across in (8, 12, 16):
        sized(tmp_path, across, [4 * across, 40 * across if across == 12 else 4 * across])
    assert number(tmp_path, "weight_advance_sizes.share_over_scale") == pytest.approx(1.0 / 2.2**2)


def test_a_front_that_is_never_in_the_block_is_missing(tmp_path: Path) -> None:
    sized(tmp_path, 8, [1], step=0.0)
    assert "never in the block" in value_of(tmp_path, "weight_advance_sizes.share_over_scale").note
