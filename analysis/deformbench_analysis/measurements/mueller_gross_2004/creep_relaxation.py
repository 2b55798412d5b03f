# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/creep_relaxation: a held strain against the rule of [MG04] §3, stepped here."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ... import extremes
from ...arrays import Array
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace

EXPERIMENT = "mueller_gross_2004/creep_relaxation"


def parameter(trace: Trace, name: str) -> float:
    """A parameter of the method."""
    return float(trace.value(f"method.parameters.{name}"))


def time_step(trace: Trace) -> float:
    """Δt, s."""
    return float(trace.value("scene.parameters.time_step_s"))


def held(trace: Trace) -> float:
    """Norm of the held strain: an extension, or an engineering shear in its own frame."""
    return float(trace.value("scene.parameters.strain"))


def printed_share(trace: Trace) -> float:
    """c Δt."""
    return parameter(trace, "plastic_creep_per_s") * time_step(trace)


def held_tensor(trace: Trace) -> Array:
    """As a 6-vector xx yy zz xy yz zx with engineering shear, axes of the material; the sweep does not turn it."""
    unit = {"uniaxial": [1, 0, 0, 0, 0, 0], "shear": [0, 0, 0, 1, 0, 0], "hydrostatic": [1, 1, 1, 0, 0, 0]}
    return held(trace) * np.array(unit[str(trace.value("scene.parameters.strain_kind"))], dtype=float)


def plastic_strain(trace: Trace) -> Array:
    """[row, 6] with engineering shear; row 0 is the start."""
    strain = trace.values("frame", "element_plastic_strains")[:, 0, :].copy()
    strain[:, 3:] *= 2
    return extremes.finite(strain, f"{EXPERIMENT}: {trace.label}: plastic strain")


def elastic_norm(trace: Trace) -> Array:
    """2-norm of total minus plastic strain, one per row."""
    return np.asarray(np.linalg.norm(held_tensor(trace) - plastic_strain(trace), axis=1))


def stepped(trace: Trace, share: float) -> Array:
    """Elastic strain of every row by the rule along the held direction: a share of it is absorbed in each step of flow."""
    total, plastic = held(trace), 0.0
    yield_, cap = parameter(trace, "plastic_yield"), parameter(trace, "plastic_max")
    values = [total]
    for _ in range(len(elastic_norm(trace)) - 1):
        elastic = total - plastic
        if elastic > yield_:
            plastic += share * elastic
        plastic = min(plastic, cap)
        values.append(total - plastic)
    return np.array(values)


def is_capped(trace: Trace) -> bool:
    """Whether the held strain is above the largest plastic strain."""
    return parameter(trace, "plastic_max") < held(trace)


def in_range(trace: Trace) -> bool:
    """Whether c lies in the paper's [0, 1/Δt]."""
    return printed_share(trace) <= 1 + 1e-12


def absorbs_at_once(trace: Trace) -> bool:
    """Whether one step takes the whole elastic strain: c Δt = 1."""
    return abs(printed_share(trace) - 1) < 1e-12


def _recursion_error(cells: list[Trace], share: Callable[[Trace], float]) -> Measured:
    errors = {c: float(np.abs(elastic_norm(c) - stepped(c, share(c))).max()) / held(c) for c in cells}
    return extremes.largest(errors)


@measurement("creep_relaxation.printed_recursion_error", unit="1", experiment=EXPERIMENT)
def printed_recursion_error(data: ExperimentData) -> Measured:
    """Largest |elastic strain − that of a recursion in which the share cΔt flows per step| over the imposed strain,
    printed rate, cΔt ≤ 1, all steps and kinds of strain."""
    return _recursion_error(data.every(name="printed", keep=in_range), printed_share)


@measurement("creep_relaxation.exponential_recursion_error", unit="1", experiment=EXPERIMENT)
def exponential_recursion_error(data: ExperimentData) -> Measured:
    """Largest |elastic strain − that of a recursion in which the share 1 − exp(−cΔt) flows per step| over the imposed
    strain, exponential rate, all steps and kinds of strain."""
    return _recursion_error(data.every(name="exponential"), lambda c: -math.expm1(-printed_share(c)))


@measurement("creep_relaxation.absorbed_residual", unit="1", experiment=EXPERIMENT)
def absorbed_residual(data: ExperimentData) -> float:
    """Largest elastic strain after one step over the imposed strain, printed rate, cΔt = 1, plastic strain below its
    cap."""
    cells = data.every(name="printed", keep=lambda c: absorbs_at_once(c) and not is_capped(c))
    return float(np.max([float(elastic_norm(c)[1]) / held(c) for c in cells]))


@measurement("creep_relaxation.printed_order", unit="1", experiment=EXPERIMENT)
def printed_order(data: ExperimentData) -> Measured:
    """Order in Δt at which the elastic strain by the printed rate tends to ε₀ exp(−ct), from the two smallest time
    steps at c = 10/s and t = 0.1 s, plastic strain below its cap."""
    cells = sorted(
        data.every(
            name="printed",
            where={"method.parameters.plastic_creep_per_s": 10.0, "scene.parameters.strain_kind": "uniaxial"},
            keep=lambda c: not is_capped(c),
        ),
        key=time_step,
    )
    if len(cells) < 2:
        raise MissingData(f"{EXPERIMENT} at tier {data.tier}: one time step only where two are needed")
    time = 0.1
    errors = [
        abs(float(elastic_norm(c)[round(time / time_step(c))]) - held(c) * math.exp(-10.0 * time)) for c in cells[:2]
    ]
    order = math.log(errors[1] / errors[0]) / math.log(time_step(cells[1]) / time_step(cells[0]))
    return Measured(order, f"Δt = {time_step(cells[0]):g} and {time_step(cells[1]):g} s")


@measurement("creep_relaxation.cap_excess", unit="1", experiment=EXPERIMENT)
def cap_excess(data: ExperimentData) -> float:
    """Largest 2-norm of the plastic strain over the cap, minus 1, all cells."""
    return float(
        np.max(
            [
                float(np.linalg.norm(plastic_strain(c), axis=1).max()) / parameter(c, "plastic_max") - 1
                for c in data.every()
            ]
        )
    )


@measurement("creep_relaxation.capped_share", unit="1", experiment=EXPERIMENT)
def capped_share(data: ExperimentData) -> float:
    """Share of the rows in which the plastic strain is at its cap to 1e-12, runs with a cap below the imposed
    strain."""
    cells = data.every(keep=is_capped)
    at_cap = [np.linalg.norm(plastic_strain(c), axis=1) >= parameter(c, "plastic_max") * (1 - 1e-12) for c in cells]
    return float(np.mean(np.concatenate(at_cap)))


@measurement("creep_relaxation.direction_error", unit="1", experiment=EXPERIMENT)
def direction_error(data: ExperimentData) -> float:
    """Largest sine of the angle between plastic and imposed strain, rows with plastic strain, all runs with cΔt ≤
    1."""
    found: list[float] = []
    for cell in data.every(keep=in_range):
        plastic, direction = plastic_strain(cell), held_tensor(cell) / np.linalg.norm(held_tensor(cell))
        norm = np.linalg.norm(plastic, axis=1)
        rows = norm > 0
        across = plastic[rows] - np.outer(plastic[rows] @ direction, direction)
        if rows.any():
            found.append(float((np.linalg.norm(across, axis=1) / norm[rows]).max()))
    return float(extremes.finite(found, EXPERIMENT).max())


def _undershoot(cells: list[Trace]) -> Measured:
    """How far below the yield a relaxed strain ends, over the yield."""
    under = {c.label: 1 - float(elastic_norm(c)[-1]) / parameter(c, "plastic_yield") for c in cells}
    worst = extremes.at_largest({k: abs(v) for k, v in under.items()})
    return Measured(under[worst], worst)


@measurement("creep_relaxation.printed_undershoot", unit="1", experiment=EXPERIMENT)
def printed_undershoot(data: ExperimentData) -> Measured:
    """Largest 1 − (elastic strain at the end)/yield, printed rate, cΔt ≤ 1, plastic strain below its cap, runs that
    relax below the yield."""
    cells = data.every(name="printed", keep=lambda c: in_range(c) and not is_capped(c))
    relaxed = [c for c in cells if elastic_norm(c)[-1] <= parameter(c, "plastic_yield")]
    if not relaxed:
        raise MissingData(f"{EXPERIMENT} at tier {data.tier}: no strain relaxed below the yield")
    return _undershoot(relaxed)


@measurement("creep_relaxation.return_undershoot", unit="1", experiment=EXPERIMENT)
def return_undershoot(data: ExperimentData) -> Measured:
    """1 − (elastic strain at the end)/yield, the value of largest magnitude, radial return, plastic strain below its
    cap."""
    return _undershoot(data.every(name="radial_return", keep=lambda c: not is_capped(c)))


def _rate_error(cells: list[Trace]) -> Measured:
    """|−ln(e₁/e₀)/(cΔt) − 1| of the first step."""
    errors = {}
    for cell in cells:
        elastic = elastic_norm(cell)
        if elastic[1] > 0:
            errors[cell.label] = abs(-math.log(elastic[1] / elastic[0]) / printed_share(cell) - 1)
    if not errors:
        raise MissingData(f"{EXPERIMENT}: no cell whose first step leaves an elastic strain")
    return extremes.largest(errors)


@measurement("creep_relaxation.printed_rate_error", unit="1", experiment=EXPERIMENT)
def printed_rate_error(data: ExperimentData) -> Measured:
    """Largest relative error of the rate of decay in one step, −ln(e₁/e₀)/Δt against c, printed rate, cΔt < 1, plastic
    strain below its cap."""
    return _rate_error(data.every(name="printed", keep=lambda c: printed_share(c) < 1 - 1e-9 and not is_capped(c)))


@measurement("creep_relaxation.exponential_rate_error", unit="1", experiment=EXPERIMENT)
def exponential_rate_error(data: ExperimentData) -> Measured:
    """Largest relative error of the rate of decay in one step, −ln(e₁/e₀)/Δt against c, exponential rate, plastic
    strain below its cap."""
    return _rate_error(data.every(name="exponential", keep=lambda c: not is_capped(c)))


@measurement("creep_relaxation.over_relaxed_growth", unit="1", experiment=EXPERIMENT)
def over_relaxed_growth(data: ExperimentData) -> Measured:
    """Largest elastic strain over the imposed strain, printed rate with cΔt > 2, where every step increases it until
    the cap is reached."""
    growth = {
        c: float(elastic_norm(c).max()) / held(c)
        for c in data.every(name="printed", keep=lambda c: printed_share(c) > 2)
    }
    return extremes.largest(growth)
