# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/threshold_mesh_dependence: load at first fracture against the cell size.

Closed form `notch_threshold_scaling`: the stress at a tip grows as h^(−1/2), h the cell size."""

import numpy as np

from deformbench_analysis.vocabulary import Array, ExperimentData, Measured, MissingData, measurement
from .crack_path import cell_size
from .uniaxial_fracture import breaking_load

EXPERIMENT = "mueller_gross_2004/threshold_mesh_dependence"


def loads(data: ExperimentData) -> tuple[Array, Array]:
    """(cell size in m, nominal stress at the first split in Pa), coarse to fine."""
    cells = sorted(data.some(), key=cell_size, reverse=True)
    return np.array([cell_size(c) for c in cells]), np.array([breaking_load(c) for c in cells])


@measurement("threshold_mesh_dependence.exponent", unit="1", experiment=EXPERIMENT)
def exponent(data: ExperimentData) -> Measured:
    """Slope of ln(load at the first split) against ln(cell size), all meshes; the stress at a crack tip gives 1/2."""
    size, load = loads(data)
    if len(size) < 2:
        raise MissingData(f"{EXPERIMENT} at tier {data.tier}: one mesh only")
    return Measured(float(np.polyfit(np.log(size), np.log(load), 1)[0]), f"{len(size)} meshes")


@measurement("threshold_mesh_dependence.finest_exponent", unit="1", experiment=EXPERIMENT)
def finest_exponent(data: ExperimentData) -> float:
    """Slope of ln(load at the first split) against ln(cell size) between the two finest meshes; the stress at a
    crack tip gives 1/2."""
    size, load = loads(data)
    if len(size) < 2:
        raise MissingData(f"{EXPERIMENT} at tier {data.tier}: one mesh only")
    return float(np.log(load[-1] / load[-2]) / np.log(size[-1] / size[-2]))
