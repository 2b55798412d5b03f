# SPDX-License-Identifier: BSD-3-Clause
"""Events of splits as numbers: which come first, which were refused, and how many there were in all."""

from pathlib import Path

import numpy as np
import pytest
from made_up_traces import write_trace

from experiments.mueller_gross_2004.measurements.split_events import choices, first_split, split_total
from deformbench_analysis.vocabulary import MissingData, Trace

EVENTS = [
    (2, 0.02, "split_refused", 5, "vertex 5 at element 2: stress 3e+01 Pa, normal (0, 1, 0): one side is empty"),
    (3, 0.03, "remark", 1, "the first split follows"),
    (
        4,
        0.04,
        "vertex_split",
        3,
        "vertex 3 splits into 3 and 9 at element 7: stress 6.00012e+04 Pa, normal (1, -2.5e-07, 0.5), 1 face exposed",
    ),
    (6, 0.06, "vertex_split", 4, "vertex 4 splits: stress 5 Pa, normal (0, 0, -1), 12 faces exposed"),
]


def broken(folder: Path, events: list[tuple[int, float, str, int, str]]) -> Trace:
    step = {"split_count": np.array([0, 1, 4, 9])}
    return Trace(write_trace(folder, "mueller_gross_2004/any warped_fem", step=step, events=events))


def test_events_are_read_in_order_with_signs_and_exponents(tmp_path: Path) -> None:
    refused, first, second = choices(broken(tmp_path, EVENTS))
    assert (refused.vertex, refused.element, refused.stress, refused.faces, refused.split) == (5, 2, 30.0, 0, False)
    assert (first.step, first.time, first.vertex, first.element) == (4, 0.04, 3, 7)
    assert (first.stress, first.faces, first.split) == (60001.2, 1, True)
    assert first.normal.tolist() == [1, -2.5e-7, 0.5]
    assert (second.element, second.stress, second.faces) == (-1, 5.0, 12), "a vertex' own tensor names no element"


def test_the_first_split_is_no_refusal_and_no_later_one(tmp_path: Path) -> None:
    assert first_split(broken(tmp_path, EVENTS)).vertex == 3


def test_a_body_that_only_refused_to_split_did_not_break(tmp_path: Path) -> None:
    with pytest.raises(MissingData, match="nothing was split"):
        first_split(broken(tmp_path, EVENTS[:2]))


def test_an_event_without_a_normal_or_a_stress_is_no_number(tmp_path: Path) -> None:
    with pytest.raises(MissingData, match="names no normal or stress"):
        choices(broken(tmp_path, [*EVENTS, (7, 0.07, "vertex_split", 1, "vertex 1 splits at element 0: stress 4 Pa")]))


def test_splits_of_a_run_are_those_up_to_its_last_row(tmp_path: Path) -> None:
    assert split_total(broken(tmp_path, EVENTS)) == 9
