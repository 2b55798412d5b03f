# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/hydrostatic_release: what a hydrostatic stress leaves behind (erratum
B-IVM-5)."""

from deformbench_analysis.vocabulary import Measures, Trace, rows

M = Measures("mueller_gross_2004/hydrostatic_release")


def change(trace: Trace) -> float:
    """V/V0 − 1 long after the load is released."""
    volume = trace.values("step", "volume")
    return float(volume[-1] / volume[0] - 1)


total_volume_change = M.only("total_volume_change", change, rows("total", says="yield by total strain, as printed"))
deviatoric_volume_change = M.only(
    "deviatoric_volume_change", change, rows("deviatoric", says="yield by the deviator of the strain")
)
