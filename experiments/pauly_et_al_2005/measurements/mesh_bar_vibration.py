# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/mesh_bar_vibration: first axial frequency of a loaded bar."""

from deformbench_analysis.vocabulary import Measures, Trace, quantity, rows
from .bar_vibration import frequency

M = Measures("pauly_et_al_2005/mesh_bar_vibration")


@quantity("first axial frequency relative to c/4L")
def ratio(trace: Trace) -> float:
    return frequency(trace) / float(trace.reference("wave_speeds", "first_axial_frequency_hz").values)


M.only("printed_ratio", ratio, rows("as_printed", says="masses 4/3 π h³ ρ as printed"))
M.only("consistent_ratio", ratio, rows("consistent", says="masses ∝ h³ that sum to ρV"))
M.only("explicit_fem_ratio", ratio, rows("explicit_fem", says="explicit nonlinear finite elements on the same mesh"))
M.only("warped_fem_ratio", ratio, rows("warped_fem", says="implicit warped finite elements on the same mesh"))
