# SPDX-License-Identifier: BSD-3-Clause
"""Tables keep full precision in CSV, escape what HTML and LaTeX would misread, and never hide a missing value as zero."""

from __future__ import annotations

import pytest

from deformbench_analysis.tables import Column, Table


def table() -> Table:
    out = Table([Column("method_a & b"), Column("time", "ms/step")])
    out.add("<x>", 0.1 + 0.2)
    out.add("y", None)
    return out


def test_csv_keeps_every_digit_and_names_the_unit() -> None:
    assert table().csv() == "method_a & b,time [ms/step]\n<x>,0.30000000000000004\ny,\n"


def test_html_and_latex_escape() -> None:
    assert "&lt;x&gt;" in table().html() and "method_a &amp; b" in table().html()
    assert r"method\_a \& b" in table().latex()


def test_a_missing_value_is_a_dash() -> None:
    assert table().text().splitlines()[2].split() == ["y", "–"]


def test_a_row_of_the_wrong_length_is_refused() -> None:
    with pytest.raises(ValueError, match="1 cells in a table of 2"):
        table().add("only")
