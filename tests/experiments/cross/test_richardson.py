# SPDX-License-Identifier: BSD-3-Clause
"""Limits of fine meshes: exact for terms in n⁻² and n⁻⁴, from the finest meshes alone."""

import pytest

from deformbench_analysis.errors import MissingData
from experiments.cross.measurements.richardson import limit


def value(n: int) -> float:
    return 3.0 + 5.0 / n**2 - 7.0 / n**4


def test_terms_of_second_and_fourth_order_are_removed_whatever_the_coarse_meshes_say() -> None:
    assert limit({8: value(8), 2: 1e3, 4: value(4), 6: value(6)}) == pytest.approx(3.0)


def test_two_meshes_remove_the_term_of_second_order() -> None:
    assert limit({2: 3.0 + 5.0 / 4, 4: 3.0 + 5.0 / 16}, meshes=2) == pytest.approx(3.0)


def test_too_few_meshes_have_no_limit() -> None:
    with pytest.raises(MissingData, match="2 meshes"):
        limit({2: 1.0, 4: 1.0})
