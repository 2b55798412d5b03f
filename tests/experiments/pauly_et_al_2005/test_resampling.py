# SPDX-License-Identifier: BSD-3-Clause
"""Resampling: one node of one member is split otherwise, a mass is lost, a piece is too heavy,
a support too small."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from measured import number, value_of
from sampled_traces import PLANE, lattice, write_members

from experiments.pauly_et_al_2005.measurements import resampling as m

N = 6
POINTS = lattice(N, 1 / N) - [0, 0.5, 0.5]
H = 1.6 / N
CUBE: Any = SimpleNamespace(number=lambda name: 1.0)


def frame(
    points: np.ndarray,
    supports: np.ndarray,
    masses: np.ndarray,
    parents: np.ndarray,
    splits: list[list[int]],
    cut: bool,
) -> dict[str, np.ndarray]:
    return {
        "node_rest_positions": points,
        "node_supports": supports,
        "node_masses": masses,
        "node_volumes": masses / 1000,
        "node_splits": np.array(splits, dtype=int).reshape(-1, 3),
        "node_omega": np.full(len(points), 9.0),
        "crack_triangles": PLANE if cut else np.zeros((0, 3, 3)),
        "parents": parents,
    }


def start(cut: bool) -> dict[str, np.ndarray]:
    count = N**3
    return frame(POINTS, np.full(count, H), np.full(count, 1.0), np.arange(count), [], cut)


def split(
    before: dict[str, np.ndarray], stays: bool = True, keep: bool = True, least: float = 0.0, forget: int = -1
) -> dict[str, np.ndarray]:
    """A pass as the text says, every part beside its node; the split number `forget` is left out."""
    points, supports, masses = (before[n].copy() for n in ("node_rest_positions", "node_supports", "node_masses"))
    parents, splits = list(before["parents"]), []
    more: list[tuple[np.ndarray, float, float]] = []
    for node in np.flatnonzero(m.sums(before) < 10):
        inserted = 10 - int(m.sums(before)[node])
        parts = inserted + stays
        support = supports[node] * (parts ** (-1 / 3) if keep else 1)
        if support < least:
            continue
        splits.append([int(node), inserted, parts])
        if len(splits) - 1 == forget:
            splits.pop()
            forget = -2
            continue
        supports[node], masses[node] = support, masses[node] / parts
        for k in range(1, parts):
            more.append((points[node] + 1e-3 * k, support, masses[node]))
            parents.append(before["parents"][node])
    return frame(
        np.concatenate([points, np.array([p for p, _, _ in more]).reshape(-1, 3)]),
        np.concatenate([supports, [h for _, h, _ in more]]),
        np.concatenate([masses, [q for _, _, q in more]]),
        np.array(parents),
        splits,
        len(before["crack_triangles"]) > 0,
    )


def write(folder: Path, wrong: str = "") -> None:
    """All rows, two members each; what is wrong is so in the second member of the row `wrong`."""
    for kind in ("through", "none", "advancing"):
        cut = kind != "none"
        for name in ("as_printed", "kept", "replaced", "anywhere", "cracks"):
            keep, stays = name != "kept", name != "replaced"
            first = start(cut)
            none = frame(
                first["node_rest_positions"], first["node_supports"], first["node_masses"], first["parents"], [], cut
            )
            good = none if name == "cracks" else split(first, stays, keep)
            bad = split(first, stays, keep, forget=3) if wrong == name and cut else good
            vectors = np.tile([3.0, 0, 4], (2, 2, 1))
            if wrong == "momentum" and name == "replaced":
                vectors[1, 1, 0] += 0.5
            if name == "anywhere":
                vectors[:, 1, 1] += 0.1
            method = {
                "split_node": "stays" if stays else "replaced",
                "split_supports": "density" if keep else "kept",
                "min_support_ratio": 0.0,
            }
            scene = {"cut": kind, "support_ratio": 1.6, "length_m": 1.0, "side_m": 1.0}
            steps = {"linear_momentum": vectors, "angular_momentum": vectors}
            members = [[first, good], [first, bad]]
            write_members(folder, "resampling", members, name=name, method=method, scene=scene, steps=steps)


def test_sums_beside_a_front_are_those_of_transparent_weights() -> None:
    random = np.random.default_rng(5)
    points, h = random.random((60, 3)) - [0, 0.5, 0.5], 0.5
    # The plane x = 0.5 up to y = 0.1, its front along z.
    triangles = np.array([[[0.5, -9, -9], [0.5, 0.1, -9], [0.5, 0.1, 9]], [[0.5, -9, -9], [0.5, 0.1, 9], [0.5, -9, 9]]])
    front = np.array([[[0.5, 0.1, -9], [0.5, 0.1, 9]]])
    found = m.sums(
        {
            "node_rest_positions": points,
            "node_supports": np.full(60, h),
            "crack_triangles": triangles,
            "crack_fronts": front,
        }
    )
    for k in range(60):
        total = 1.0
        for j in range(60):
            way = points[j] - points[k]
            r = np.linalg.norm(way) / h
            if j == k or r >= 1:
                continue
            longer = r
            if (points[j, 0] > 0.5) != (points[k, 0] > 0.5):
                y = points[k, 1] + way[1] * (0.5 - points[k, 0]) / way[0]
                if y < 0.1:
                    longer = r + (2 * (0.1 - y) / h) ** 2
            total += (1 - longer) ** 3 * (1 + 3 * longer) / ((1 - r) ** 3 * (1 + 3 * r)) if longer < 1 else 0
        assert found[k] == pytest.approx(total)
    assert (np.abs(found - np.round(found)) > 1e-3).sum() > 10


def test_sums_count_the_nodes_of_the_own_side() -> None:
    found = m.sums(start(True)).reshape(N, N, N)
    assert found[2, 2, 2] == 19 - 5 and found[1, 2, 2] == 19 and found[0, 0, 0] == 7
    assert m.sums(start(False)).reshape(N, N, N)[2, 2, 2] == 19


def test_passes_as_the_text_says_have_no_errors(tmp_path: Path) -> None:
    write(tmp_path)
    assert number(tmp_path, "resampling.count_errors") == 0
    assert number(tmp_path, "resampling.inserted") == split(start(True))["node_splits"][:, 1].sum()
    assert number(tmp_path, "resampling.splits_uncracked") == 0
    assert number(tmp_path, "resampling.broken_sums") == 0
    assert number(tmp_path, "resampling.few_uncracked") == 8
    assert number(tmp_path, "resampling.mass_error") < 1e-14
    assert number(tmp_path, "resampling.own_density_error") < 1e-12


@pytest.mark.parametrize("wrong", ["as_printed", "kept", "replaced"])
def test_one_split_that_is_missing_is_an_error(tmp_path: Path, wrong: str) -> None:
    write(tmp_path, wrong)
    assert number(tmp_path, "resampling.count_errors") > 0


def test_parts_below_the_smallest_support_are_not_expected() -> None:
    rules = {"method.parameters.split_node": "stays", "method.parameters.split_supports": "density"}
    cell: Any = SimpleNamespace(value=rules.__getitem__, setting=lambda name: 0.6)
    first = start(True)
    found = m.expected(cell, first, first, first)
    omega = m.sums(first)
    assert found and all(p ** (-1 / 3) >= 0.6 for _, p in found.values())
    assert {n for n in np.flatnonzero(omega < 10) if int(n) not in found} == {
        n for n in np.flatnonzero(omega < 10) if (11 - omega[n]) ** (-1 / 3) < 0.6
    }


def test_nodes_without_room_are_those_at_the_plane_and_at_faces() -> None:
    points = np.array([[0.5 + 1e-4, 0, 0], [0.5 + 1e-3, 0, 0], [0.2, 0.4999, 0], [0.2, 0.498, 0], [0.9999, 0, 0]])
    found = m.without_room(
        CUBE, {"node_rest_positions": points, "node_supports": np.full(5, 0.2), "crack_triangles": PLANE}
    )
    assert list(found) == [True, False, True, False, True]


def test_a_momentum_that_changes_is_seen_in_one_member(tmp_path: Path) -> None:
    write(tmp_path, "momentum")
    assert number(tmp_path, "resampling.momentum_error") == pytest.approx(0.1)
    assert number(tmp_path, "resampling.angular_momentum_error") == pytest.approx(0.1)
    assert number(tmp_path, "resampling.angular_momentum_error_anywhere") == pytest.approx(0.02)


def test_undersampled_nodes_are_counted_behind_a_pass(tmp_path: Path) -> None:
    write(tmp_path)
    first = start(True)
    few = (m.sums(first) < 10).sum()
    for row, keep, stays in (("as_printed", True, True), ("kept", False, True), ("replaced", True, False)):
        after = (m.sums(split(first, stays, keep)) < 10).sum()
        assert number(tmp_path, f"resampling.few_ratio_{row}") == pytest.approx(after / few, rel=1e-6, abs=0)


def test_changes_are_those_of_the_first_pass(tmp_path: Path) -> None:
    write(tmp_path)
    first = start(True)
    after = split(first)
    assert number(tmp_path, "resampling.volume_change") < 1e-12  # volumes are made up as the masses
    assert number(tmp_path, "resampling.inserted_share") == pytest.approx(len(after["parents"]) / N**3 - 1)

    points = m.probes(CUBE)
    change = abs(m.density_at(points, after).mean() / m.density_at(points, first).mean() - 1)
    assert number(tmp_path, "resampling.density_change") == pytest.approx(change)
    distance = np.linalg.norm(points[:, None] - first["node_rest_positions"][None], axis=2)
    direct = np.where(distance < H, 315 / (64 * np.pi * H**9) * np.maximum(H**2 - distance**2, 0) ** 3, 0).sum(
        axis=1
    )
    assert m.density_at(points, first) == pytest.approx(direct)


def pieces(folder: Path, extra: float, speed: float = 1.0, across: int = 12) -> None:
    """A block cut at half: the second member has `extra` mass on one side,
    and its pieces the speeds 1 and `speed`."""
    for name in ("clouds", "as_sampled"):
        members = []
        for k in range(2):
            first = start(True)
            side = m.sides(POINTS, first)
            masses = np.where(side, 1.0 + extra * k * (name == "clouds"), 1.0)
            last = {
                **first,
                "node_masses": masses,
                "velocities": np.where(side, 1.0, -speed if k else -1.0)[:, None] * [0.0, 0, 1],
            }
            members.append([{**first}, last])
        scene = {"nodes_across": across, "length_m": 1.0, "side_m": 1.0}
        write_members(folder, "fragment_masses", members, name=name, scene=scene)


def test_masses_of_pieces_are_held_against_volumes(tmp_path: Path) -> None:
    pieces(tmp_path, 0.0)
    assert number(tmp_path, "fragment_masses.cuts") == 2
    assert number(tmp_path, "fragment_masses.mass_error") < 1e-12
    assert number(tmp_path, "fragment_masses.speed_error") < 1e-12
    assert number(tmp_path, "fragment_masses.resampling_adds") < 1e-12
    pieces(tmp_path / "heavy", 0.2, 1.25)
    pieces(tmp_path / "heavy", 0.1, 1.1, across=14)
    pieces(tmp_path / "heavy", 0.9, 1.9, across=8)
    assert number(tmp_path / "heavy", "fragment_masses.coarse_speed_error") == pytest.approx(1 - 1 / 1.9)
    assert number(tmp_path / "heavy", "fragment_masses.mass_error") == pytest.approx(1.2 / 1.1 - 1)
    assert number(tmp_path / "heavy", "fragment_masses.speed_error") == pytest.approx(0.2)
    assert number(tmp_path / "heavy", "fragment_masses.resampling_adds") == pytest.approx(1.2 / 1.1 - 1)


def guarded(
    folder: Path, name: str, count: list[int], support: float, ratio: float = 0.5, support_ratio: float = 1.6
) -> None:
    """Nodes of the start have `count` descendants each in the last frame, one fewer in the one before."""
    h = np.full(len(count), 1.0)
    now, earlier = np.repeat(np.arange(len(count)), count), np.repeat(np.arange(len(count)), count)[:-1]
    frames = [
        {"parents": np.arange(len(count)), "node_supports": h, "node_omega": np.full(len(count), 12.0)},
        {"parents": earlier, "node_supports": h[earlier], "node_omega": np.full(len(earlier), 9.0)},
        {"parents": now, "node_supports": np.full(len(now), support), "node_omega": np.arange(len(now)) * 10.0},
    ]
    scene = {"support_ratio": support_ratio}
    write_members(folder, "resampling_guard", [frames], name=name, method={"min_support_ratio": ratio}, scene=scene)


def test_growth_is_that_of_the_node_with_most_descendants(tmp_path: Path) -> None:
    guarded(tmp_path, "guarded", [2, 12, 1], 0.45)
    guarded(tmp_path, "unguarded", [20, 40], 0.1, 0.0)
    assert number(tmp_path, "resampling_guard.growth") == pytest.approx(12 / 8)
    assert number(tmp_path, "resampling_guard.smallest_support") == pytest.approx(0.9)
    assert number(tmp_path, "resampling_guard.late_nodes") == 1
    assert number(tmp_path, "resampling_guard.guarded_growth") == 5
    assert number(tmp_path, "resampling_guard.unguarded_growth") == 30
    guarded(tmp_path, "unguarded", [2, 4], 0.1, 0.0, support_ratio=2.0)
    assert number(tmp_path, "resampling_guard.unguarded_growth_by_faces") == 3
    assert "no cell with" in value_of(tmp_path, "resampling_guard.unguarded_growth_by_corners").note
    assert number(tmp_path, "resampling_guard.left_undersampled") == pytest.approx(1 / 15)


@pytest.mark.parametrize("worst", [2.0, 2 * 3**0.5])
def test_growth_by_the_text_is_that_of_guarded_blocks_with_both_wide_supports(tmp_path: Path, worst: float) -> None:
    for support_ratio in (2.0, 2 * 3**0.5):
        guarded(tmp_path, "guarded", [2, 6] if support_ratio == worst else [1, 3], 0.5, support_ratio=support_ratio)
    guarded(tmp_path, "guarded", [4, 6], 0.5)
    guarded(tmp_path, "unguarded", [20, 40], 0.1, 0.0, support_ratio=2.0)
    assert number(tmp_path, "resampling_guard.guarded_growth_by_the_text") == 4
    assert number(tmp_path, "resampling_guard.guarded_growth") == 5


def test_wide_supports_that_leave_a_node_undersampled_are_seen(tmp_path: Path) -> None:
    first = start(True)
    few = {**first, "node_supports": np.full(N**3, 1.2 / N)}
    for support_ratio, frames in ((2.9, [first, first]), (3.5, [first, few]), (1.6, [first, few])):
        scene = {"cut": "through", "support_ratio": support_ratio, "length_m": 1.0, "side_m": 1.0}
        write_members(tmp_path, "resampling", [frames, [first, first]], name="as_printed", scene=scene)
    assert number(tmp_path, "resampling.left_wide") == pytest.approx((m.sums(few) < 10).mean())
