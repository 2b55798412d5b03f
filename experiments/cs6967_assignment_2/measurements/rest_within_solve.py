# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/rest_within_solve: the weight that contact within the solve transmits to the
plane."""

from deformbench_analysis.vocabulary import Measures, quantity, rows
from .rest_on_plane import rest

M = Measures("cs6967_assignment_2/rest_within_solve")
NEAR = 1e-3  # of the height: the barrier holds vertices within a thousandth of the body's diagonal

M.largest(
    "support_error",
    quantity("support / weight, from stresses and weights of the touching vertices at the end")(
        lambda c: rest(c, NEAR).support
    ).off(1.0, "|support/(ρVg) − 1|, by stresses and weights of the touching vertices"),
    rows(says="barrier and penalty, at every time step"),
)
