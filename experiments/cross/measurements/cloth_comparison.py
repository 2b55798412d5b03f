# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cross/cloth_comparison: how far a swinging cloth is from small explicit steps of its springs."""

from deformbench_analysis.vocabulary import Measures
from .swinging_cloths import COMPLIANT, EXPLICIT, POSITION_BASED, error

M = Measures("cross/cloth_comparison")
M.largest("force_cloth_error", error, EXPLICIT)
M.least("xpbd_least_error", error, COMPLIANT)
M.least("pbd_least_error", error, POSITION_BASED)
