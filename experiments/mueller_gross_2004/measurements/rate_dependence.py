# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/rate_dependence: one strain path at several speeds,
creep against instantaneous flow."""

import numpy as np

from deformbench_analysis.corotational import ENGINEERING, Body
from deformbench_analysis.vocabulary import EVERY_RUN, Array, ExperimentData, Measured, Measures, MissingData, Trace
from deformbench_analysis.vocabulary import quantity, rows

M = Measures("mueller_gross_2004/rate_dependence")


def strains(trace: Trace) -> tuple[Array, Array]:
    """(total, plastic) strain of every step from stored rows, engineering shear, [step, 6]: plastic strain after the
    step, total strain at its start, which flow is based on ([MG04] §6)."""
    body = Body.of(trace)
    (matrix,) = body.strain  # one element
    total = []
    for x in trace.values("frame", "positions"):
        (displaced,) = body.displacements(x, body.rotations(x))
        total.append(matrix @ displaced)
    plastic = trace.values("frame", "element_plastic_strains")[:, 0] * ENGINEERING
    return np.array(total)[:-1], np.asarray(plastic[1:])


def arrival(trace: Trace) -> int:
    """The first step that begins at the end of the path."""
    time_step = trace.number("time_step_s")
    return round(trace.number("ramp_s") / time_step)


def elastic_on_arrival(trace: Trace) -> float:
    """2-norm of the elastic strain / 2-norm of the total strain at the end of the path, after flow."""
    total, plastic = strains(trace)
    k = arrival(trace)
    return float(np.linalg.norm(total[k] - plastic[k]) / np.linalg.norm(total[k]))


def _spread(data: ExperimentData, name: str) -> Measured:
    cells = sorted(rows(name).runs(data), key=lambda c: c.number("ramp_s"))
    if len(cells) < 2:
        raise MissingData(f"{M.experiment} at tier {data.tier}: one speed only where two are needed")
    ends = [strains(c)[0][arrival(c)] for c in cells]
    if np.ptp(ends, axis=0).max() > 1e-12:
        raise MissingData(f"{M.experiment}: the paths do not end at the same strain")
    left = [elastic_on_arrival(c) for c in cells]
    return Measured(
        float(np.ptp(left)),
        ", ".join(f"{value:.4g} in {float(c.value('scene.parameters.ramp_s')):g} s" for c, value in zip(cells, left)),
    )


@M("creep_spread")
def creep_spread(data: ExperimentData) -> Measured:
    """Largest minus smallest elastic strain / total strain at the end of the path, creep, all speeds."""
    return _spread(data, "creep")


@M("instantaneous_spread")
def instantaneous_spread(data: ExperimentData) -> Measured:
    """Largest minus smallest elastic strain / total strain at the end of the path, radial return, all speeds."""
    return _spread(data, "instantaneous")


@M("faster_is_stiffer")
def faster_is_stiffer(data: ExperimentData) -> float:
    """Smallest drop of elastic strain / total strain at the path's end from one speed to the next slower, creep."""
    left = [elastic_on_arrival(c) for c in sorted(rows("creep").runs(data), key=lambda c: c.number("ramp_s"))]
    return float(-np.diff(left).max())


def stepped(trace: Trace, total: Array) -> Array:
    """Plastic strain of every step along a path of one direction, by the rule of [MG04] §3 or by radial return."""
    plastic, found = 0.0, []
    share = trace.setting("plastic_creep_per_s") * trace.number("time_step_s")
    yield_ = trace.setting("plastic_yield")
    for strain in total:
        elastic = strain - plastic
        if elastic > yield_:
            plastic += (
                share * elastic if trace.value("method.parameters.plastic_rate") == "as_printed" else elastic - yield_
            )
        found.append(min(plastic, trace.setting("plastic_max")))
    return np.array(found)


def recursion_error(trace: Trace) -> float:
    """Largest |plastic strain − that of the rule by the analysis along the path| / strain at the end."""
    total, plastic = strains(trace)
    direction = total[-1] / np.linalg.norm(total[-1])
    expected = np.outer(stepped(trace, total @ direction), direction)
    return float(np.abs(plastic - expected).max() / np.linalg.norm(total[-1]))


@quantity("plastic strain / total strain at the end of the path")
def flow_share(trace: Trace) -> float:
    """With none, nothing would be shown."""
    total, plastic = strains(trace)
    k = arrival(trace)
    return float(np.linalg.norm(plastic[k]) / np.linalg.norm(total[k]))


M.largest("recursion_error", recursion_error)
M.least("flow_share", flow_share, EVERY_RUN.noted(lambda _: ""))
