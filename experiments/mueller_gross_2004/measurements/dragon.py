# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/dragon_heat and dragon_pull ([MG04] Fig. 9)."""

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, MissingData, Trace, quantity, rows
from .condition_number import change_since_start
from .split_events import split_total
from .surfaces import open_edges

HEAT = Measures("mueller_gross_2004/dragon_heat")
PULL = Measures("mueller_gross_2004/dragon_pull")
PATH = Measures("mueller_gross_2004/dragon_heat_path")
PRINTED = rows("printed", says="cold material of Table 1")
CONTROL = rows("control", says="cold material with the hot material's yield and creep")


def ever_heated(trace: Trace) -> Array:
    """Whether any stored frame shows an element as heated."""
    frames = [frame["heated_elements"].astype(float) > 0 for _, _, frame in trace.frames()]
    if not frames:
        raise MissingData(f"{trace.experiment}: no frames")
    return np.asarray(np.any(frames, axis=0))


def last_strains(trace: Trace) -> Array:
    """Frobenius norm of the plastic strain in the last frame, one per element."""
    (last,) = [frame["element_plastic_strains"] for _, _, frame in trace.frames(last=True)]
    return np.asarray(np.sqrt((last**2 * np.array([1, 1, 1, 2, 2, 2])).sum(axis=1)))  # off the diagonal twice


def cold_strain(trace: Trace) -> float:
    """Largest final plastic strain of elements that no stored frame shows as heated."""
    ever, strain = ever_heated(trace), last_strains(trace)
    if ever.all():
        raise MissingData(f"{HEAT.experiment}: {trace.method_name}: every element was heated")
    return float(strain[~ever].max())


def hot_strain(trace: Trace) -> float:
    """Largest final plastic strain of heated elements."""
    ever, strain = ever_heated(trace), last_strains(trace)
    if not ever.any():
        raise MissingData(f"{HEAT.experiment}: no element was heated")
    return float(strain[ever].max())


plastic_strain_cold = HEAT.only("plastic_strain_cold", cold_strain, PRINTED)
control_plastic_strain_cold = HEAT.only("control_plastic_strain_cold", cold_strain, CONTROL)
cold_yield = HEAT.only(
    "cold_yield", quantity("plastic yield")(lambda c: c.value("method.parameters.plastic_yield")), PRINTED
)
plastic_strain_hot = HEAT.only("plastic_strain_hot", hot_strain, PRINTED)
heated_share = HEAT.only(
    "heated_share",
    quantity("share of heated elements")(ever_heated).mean("share of the elements that were heated"),
    PRINTED,
)


def ball_centre(trace: Trace, time: float) -> Array | None:
    """Centre of the hot ball, m; None before its start."""
    start, travel, a, b = (
        np.asarray(trace.value(f"scene.parameters.heat_{n}"), dtype=float)
        for n in ("start_s", "travel_s", "from_m", "to_m")
    )
    return None if time < start else a + min(float((time - start) / travel), 1.0) * (b - a)


def touched(trace: Trace) -> tuple[Array, Array]:
    """(touched, nearly touched): elements whose centroid the ball contains at the start of a step, and those for
    which rounding decides. MissingData unless every step is stored."""
    corners, radius = trace.scene("tetrahedra"), trace.number("heat_radius_m")
    least = np.full(len(corners), np.inf)  # distance of the centroid from the ball's centre
    last = -1
    frames = list(trace.frames(names=["positions"]))
    for step, time, frame in frames[:-1]:  # no step starts from the last
        if step != last + 1:
            raise trace.missing(f"frames of every step are needed, found {last} and then {step}")
        last = step
        centre = ball_centre(trace, time)
        if centre is not None:
            centroids = frame["positions"][corners].mean(axis=1)
            least = np.minimum(least, np.linalg.norm(centroids - centre, axis=1))
    return least <= radius, np.abs(least / radius - 1) < 1e-9


def untouched_strain(trace: Trace) -> dict[str, float]:
    """Largest final plastic strain of elements whose centroid is in the hot ball at the start of no step."""
    met, nearly = touched(trace)
    beside = ~met & ~nearly
    if not beside.any():
        raise MissingData(f"{PATH.experiment}: every element was touched")
    return {f"{met.sum()} of {len(met)} elements touched": float(last_strains(trace)[beside].max())}


def touched_strain(trace: Trace) -> float:
    """Largest final plastic strain of elements whose centroid is in the hot ball at the start of a step."""
    return float(last_strains(trace)[touched(trace)[0]].max(initial=0.0))


def flag_mismatches(trace: Trace) -> float:
    """Number of elements heated without, or unheated despite, a step that starts with the centroid in the ball."""
    met, nearly = touched(trace)
    return float(((ever_heated(trace) != met) & ~nearly).sum())


PATH.largest("plastic_strain_untouched", untouched_strain)
PATH.only("plastic_strain_touched", touched_strain)
PATH.only("flag_mismatches", flag_mismatches)


def before_first_split(trace: Trace) -> int:
    """Step of the last stored row without a split."""
    splits = trace.series("step", "split_count")
    return int(splits.step[splits.values == 0][-1])


def change_before_splits(trace: Trace) -> dict[str, float]:
    """|condition number of the step's matrix / that at the start − 1| before the first split."""
    return change_since_start(trace, before_first_split(trace))


pull_splits = PULL.only("splits", quantity("number of vertex splits")(split_total))
PULL.only(
    "components",
    quantity("number of face-connected parts of the tetrahedral mesh at the end")(
        lambda c: c.values("step", "component_count")[-1]
    ),
)
PULL.only(
    "skin_pieces",
    quantity("number of edge-connected parts of the surface at the end")(
        lambda c: c.values("step", "skin_piece_count")[-1]
    ),
)
pull_open_edges = PULL.only(
    "open_edges",
    quantity("largest number of edges of the surface without a matching opposite edge, any stored frame or row")(
        open_edges
    ),
)
PULL.largest("condition_change", change_before_splits)
PULL.largest("condition_change_broken", change_since_start)
