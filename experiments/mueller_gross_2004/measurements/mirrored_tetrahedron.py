# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/mirrored_tetrahedron: a reflection R gives no force,
a rotation does (erratum B-IVM-8)."""

from deformbench_analysis.vocabulary import Measures, Trace, rows

M = Measures("mueller_gross_2004/mirrored_tetrahedron")


def start_force(trace: Trace) -> float:
    """Largest elastic force on the mirrored tetrahedron / (E h²), h the edge length."""
    scale = trace.number("young_modulus_pa") * trace.number("edge_m") ** 2
    return float(trace.values("step", "max_elastic_force")[0]) / scale


M.only("printed_force", start_force, rows("as_printed", says="R a reflection, as printed"))
M.only("corrected_force", start_force, rows("corrected", says="R a rotation"))
