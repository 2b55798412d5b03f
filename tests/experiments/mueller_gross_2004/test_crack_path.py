# SPDX-License-Identifier: BSD-3-Clause
"""Cracks of known faces: how far they lie from the plane through the flaw, which frame shows them,
and which runs a mean is of."""

import math
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace

EXPERIMENT = "mueller_gross_2004/crack_path"
# Elements 0 and 1 with a face of 1/2 m² at x = 1 between them,
# and a chain of eight whose fourth and fifth share one of 2 m² at x = 3.
PAIR = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 0, 1], [2, 0, 0]])
FLAT = math.sqrt((0.5 * 1**2 + 2 * 3**2) / 2.5)  # m, root mean square distance of both from x = 0, by area


def meshes() -> list[np.ndarray]:
    """Whole; the pair apart, which leaves four fifths of the elements in one piece; the chain in halves;
    a last face of it open too."""
    first = np.array([[0, 1, 2, 3], [4, 1, 3, 2], *[[5 + k, 6 + k, 7 + k, 8 + k] for k in range(8)]])
    rows = [first.copy() for _ in range(4)]
    for row, found in enumerate(rows):
        if row >= 1:
            found[1] = [4, 16, 18, 17]
        if row >= 2:
            found[6:][found[6:] <= 11] += 10  # what the halves share gets numbers of its own
        if row >= 3:
            found[9] = [30, 31, 32, 33]
    return rows


def crack(
    folder: Path,
    rough: float = 1.0,
    *,
    split: str = "kuhn_six",
    jitter: float = 0.0,
    stress: Iterable[float] = (2, 1, 0, 0, 0, 0),
    seed: int = 1,
    lean: float = 0.0,
    frames: int = 4,
    status: str = "completed",
) -> None:
    """A run whose cells are as large as it takes for a roughness of `rough`; `lean`: how far a corner of the face of
    the chain is off its plane, of the 2 m of its height."""
    points = np.concatenate([PAIR, 50 + np.arange(33.0).reshape(11, 3) ** 2])
    points[9:12] = [[3, 0, 0], [3, 2, 0], [3 + lean, 0, 2]]
    scene = {"split": split, "jitter": jitter, "seed": seed, "stress_pa": list(stress)}
    write_trace(
        folder,
        f"{EXPERIMENT} warped_fem",
        status=status,
        scene={"side_m": 4 * FLAT / rough, "cells_across": 4},
        swept=scene,
        arrays={"rest_positions": points, "tetrahedra": meshes()[0]},
        frame={"tetrahedra": np.stack(meshes()[:frames])},
    )


def test_the_faces_that_count_are_those_open_when_the_body_comes_apart(tmp_path: Path) -> None:
    crack(tmp_path / "apart", 0.7)
    assert number(tmp_path / "apart", "crack_path.kuhn_six") == pytest.approx(0.7)
    crack(tmp_path / "whole", 0.7, frames=2)  # the small face alone, at a distance of 1 m
    assert number(tmp_path / "whole", "crack_path.kuhn_six") == pytest.approx(0.7 / FLAT)


def test_a_body_that_stays_whole_has_no_crack(tmp_path: Path) -> None:
    crack(tmp_path, frames=1)
    assert "nothing opened" in value_of(tmp_path, "crack_path.kuhn_six").note


def test_distances_are_measured_along_the_largest_principal_stress(tmp_path: Path) -> None:
    crack(tmp_path, FLAT, stress=(1, 2, 0, 0, 0, 0))  # cells of 1 m; the faces' middles are at y = 1/3 and 2/3 m
    assert number(tmp_path, "crack_path.kuhn_six") == pytest.approx(math.sqrt((0.5 / 9 + 2 * 4 / 9) / 2.5))


def test_the_tilt_is_that_of_the_worst_run_by_area(tmp_path: Path) -> None:
    for seed, lean in ((1, 0.0), (2, 2.0), (3, 1.0)):
        crack(tmp_path, lean=lean, seed=seed)
    # At 45° the larger face has 2√2 m², the smaller lies across the pull.
    area = 2 * math.sqrt(2)
    assert number(tmp_path, "crack_path.tilt_deg") == pytest.approx(45 * math.sqrt(area / (area + 0.5)))


def test_every_open_face_has_its_part_in_the_tilt(tmp_path: Path) -> None:
    crack(tmp_path, lean=2.0, stress=(1, 0, 2, 0, 0, 0))  # pulled upwards: the smaller face stands along the pull
    area = 2 * math.sqrt(2)
    assert number(tmp_path, "crack_path.tilt_deg") == pytest.approx(
        math.sqrt((0.5 * 90**2 + area * 45**2) / (0.5 + area))
    )


def test_means_are_of_the_runs_of_their_own_kind(tmp_path: Path) -> None:
    for at, split in enumerate(("kuhn_six", "alternating_five", "body_centred")):
        for rough, stress in ((0.1, 2), (0.2, 3), (0.6, 4)):
            crack(tmp_path, rough + at, split=split, stress=(stress, 0, 0, 0, 0, 0))
        crack(tmp_path, 0.5 * 2**at, split=split, jitter=0.2)
    for at, split in enumerate(("kuhn_six", "alternating_five", "body_centred")):
        assert number(tmp_path, f"crack_path.{split}") == pytest.approx(0.3 + at)
    assert number(tmp_path, "crack_path.jittered") == pytest.approx(3.5 / 3)
    assert number(tmp_path, "crack_path.regular_minus_jittered") == pytest.approx(1.3 - 3.5 / 3)


def test_seeds_of_a_mesh_are_one_sample_of_a_pair(tmp_path: Path) -> None:
    for split, jitter, rough in (
        ("a", 0.0, [0.8, 1.2]),
        ("a", 0.2, [0.5, 0.9]),
        ("b", 0.0, [2.0]),
        ("b", 0.2, [1.0, 1.0]),
        ("c", 0.0, [1.0]),
        ("c", 0.2, [1.2, 1.4]),
        ("d", 0.0, [9.0]),
    ):  # d has no partner
        for seed, value in enumerate(rough):
            crack(tmp_path, value, split=split, jitter=jitter, seed=seed)
    gains = [1.0 - 0.7, 1.0, 1.0 - 1.3]
    assert number(tmp_path, "crack_path.gain_in_errors") == pytest.approx(
        np.mean(gains) / (np.std(gains, ddof=1) / math.sqrt(3))
    )
    assert value_of(tmp_path, "crack_path.gain_in_errors").note == "0.333 ± 0.38 cells, 3 pairs"


def test_two_pairs_give_no_error_to_measure_a_gain_in(tmp_path: Path) -> None:
    for split in "ab":
        crack(tmp_path, 1.0, split=split)
        crack(tmp_path, 0.5, split=split, jitter=0.2)
    assert "2 pairs, expected at least three" in value_of(tmp_path, "crack_path.gain_in_errors").note


def test_the_spread_over_directions_is_of_the_means_over_kinds_of_mesh(tmp_path: Path) -> None:
    for stress, regular, jittered in ((2, 1.0, 2.0), (3, 3.0, 2.0), (4, 2.0, 2.5)):
        for part, split in ((0.5, "kuhn_six"), (1.5, "body_centred")):
            crack(tmp_path, part * regular, split=split, stress=(stress, 0, 0, 0, 0, 0))
            crack(tmp_path, part * jittered, split=split, stress=(stress, 0, 0, 0, 0, 0), jitter=0.2)
    crack(tmp_path, 7.0, split="alternating_five", stress=(2, 0, 0, 0, 0, 0))  # a mean of 3 instead of 1
    assert number(tmp_path, "crack_path.regular_direction_spread") == pytest.approx(1.5)
    assert number(tmp_path, "crack_path.jittered_direction_spread") == pytest.approx(1.25)


@pytest.mark.parametrize("quantity", ["regular_minus_jittered", "gain_in_errors"])
def test_a_mean_of_the_others_stands_for_no_run_that_diverged(tmp_path: Path, quantity: str) -> None:
    for split in ("kuhn_six", "alternating_five", "body_centred"):
        for jitter in (0.0, 0.2):
            for stress, status in ((2, "completed"), (3, "diverged")):
                crack(tmp_path, 1.0, split=split, jitter=jitter, stress=(stress, 0, 0, 0, 0, 0), status=status)
    assert "cells did not complete" in value_of(tmp_path, f"crack_path.{quantity}").note
