# SPDX-License-Identifier: BSD-3-Clause
"""Which corner is chosen first by each seed, and how likely the counts are under a uniform choice."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace

NORMAL = "normal (1, 0, 0), stress 5 Pa"


def chosen(folder: Path, corners: list[int], seeds: int, refused_first: bool = False) -> None:
    """One choice per seed of element 1, whose corners are vertices 14, 13, 12, 11; then one of a later step."""

    def split(step: int, vertex: int) -> tuple[int, float, str, int, str]:
        about = f"vertex {vertex} splits at element 1: stress 5 Pa, {NORMAL}, 3 faces exposed"
        return step, 0.01 * step, "vertex_split", vertex, about

    events = []
    for k, corner in enumerate(corners):
        if refused_first and k == 0:
            whole = f"vertex {14 - corner} at element 1 stays whole; {NORMAL}"
            events += [(1, 0.01, "split_refused", 14 - corner, whole), split(1, 11)]
        else:
            events.append(split(1, 14 - corner))
    events.append(split(2, 14))
    write_trace(
        folder,
        "mueller_gross_2004/split_choice warped_fem",
        arrays={"tetrahedra": np.array([[0, 1, 2, 3], [14, 13, 12, 11]])},
        seeds=seeds,
        events=events,
        step={"split_count": np.tile([0, 1], (seeds, 1))},
    )


def test_a_corner_that_is_favoured_is_unlikely(tmp_path: Path) -> None:
    chosen(tmp_path, [0] * 10 + [1] * 2 + [2] * 2 + [3] * 2, 16)
    # (36 + 3·4)/4 = 12, three degrees of freedom
    assert number(tmp_path, "split_choice.chi_square_p") == pytest.approx(0.0073832, rel=1e-4)
    assert value_of(tmp_path, "split_choice.chi_square_p").note == "counts 10, 2, 2, 2"


def test_the_first_choice_counts_although_it_was_refused(tmp_path: Path) -> None:
    chosen(tmp_path, [2, 0, 1, 3], 4, refused_first=True)
    assert value_of(tmp_path, "split_choice.chi_square_p").note == "counts 1, 1, 1, 1"


def test_a_seed_without_a_choice_is_told(tmp_path: Path) -> None:
    chosen(tmp_path, [0, 1, 2], 4)
    assert "3 first choices of 4 seeds" in value_of(tmp_path, "split_choice.chi_square_p").note
