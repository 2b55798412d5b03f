# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/creep_relaxation: a held strain against the rule of [MG04] §3, stepped here."""

import math

import numpy as np

from deformbench_analysis.vocabulary import EVERY_RUN, Array, ExperimentData, Measured, Measures, MissingData, Trace
from deformbench_analysis.vocabulary import extremes, parameter, quantity, rows
from .step_equation import time_step

M = Measures("mueller_gross_2004/creep_relaxation")
held = parameter("strain", float, "Held strain: an extension, or an engineering shear in its own frame.")


def printed_share(trace: Trace) -> float:
    """c Δt."""
    return trace.setting("plastic_creep_per_s") * time_step(trace)


def held_tensor(trace: Trace) -> Array:
    """As a 6-vector xx yy zz xy yz zx with engineering shear, axes of the material; the sweep does not turn it."""
    unit = {"uniaxial": [1, 0, 0, 0, 0, 0], "shear": [0, 0, 0, 1, 0, 0], "hydrostatic": [1, 1, 1, 0, 0, 0]}
    return held(trace) * np.array(unit[str(trace.value("scene.parameters.strain_kind"))], dtype=float)


def plastic_strain(trace: Trace) -> Array:
    """[row, 6] with engineering shear; row 0 is the start."""
    strain = trace.values("frame", "element_plastic_strains")[:, 0, :].copy()
    strain[:, 3:] *= 2
    return extremes.finite(strain, f"{M.experiment}: {trace.label}: plastic strain")


def elastic_norm(trace: Trace) -> Array:
    """2-norm of total minus plastic strain, one per row."""
    return np.asarray(np.linalg.norm(held_tensor(trace) - plastic_strain(trace), axis=1))


def stepped(trace: Trace, share: float) -> Array:
    """Elastic strain of every row by the rule along the held direction:
    each step of flow absorbs `share` of it."""
    total, plastic = held(trace), 0.0
    yield_, cap = trace.setting("plastic_yield"), trace.setting("plastic_max")
    values = [total]
    for _ in range(len(elastic_norm(trace)) - 1):
        elastic = total - plastic
        if elastic > yield_:
            plastic += share * elastic
        plastic = min(plastic, cap)
        values.append(total - plastic)
    return np.array(values)


def is_capped(trace: Trace) -> bool:
    """Cap of the plastic strain below the imposed strain."""
    return trace.setting("plastic_max") < held(trace)


def is_free(trace: Trace) -> bool:
    """Plastic strain below its cap."""
    return not is_capped(trace)


def in_range(trace: Trace) -> bool:
    """cΔt ≤ 1."""
    return printed_share(trace) <= 1 + 1e-12


def absorbs_at_once(trace: Trace) -> bool:
    """cΔt = 1."""
    return abs(printed_share(trace) - 1) < 1e-12


def printed_error(trace: Trace) -> Array:
    """|elastic strain − that of a recursion in which the share cΔt flows per step| / imposed strain."""
    return np.asarray(np.abs(elastic_norm(trace) - stepped(trace, printed_share(trace))) / held(trace))


def exponential_error(trace: Trace) -> Array:
    """|elastic strain − that of a recursion in which the share 1 − exp(−cΔt) flows per step| / imposed strain."""
    return np.asarray(np.abs(elastic_norm(trace) - stepped(trace, -math.expm1(-printed_share(trace)))) / held(trace))


def beyond_cap(trace: Trace) -> float:
    """2-norm of the plastic strain / cap, minus 1."""
    return float(np.linalg.norm(plastic_strain(trace), axis=1).max()) / trace.setting("plastic_max") - 1


def sine(trace: Trace) -> Array:
    """Sine of the angle between plastic and imposed strain, rows with plastic strain."""
    plastic, direction = plastic_strain(trace), held_tensor(trace) / np.linalg.norm(held_tensor(trace))
    norm = np.linalg.norm(plastic, axis=1)
    flowed = norm > 0
    across = plastic[flowed] - np.outer(plastic[flowed] @ direction, direction)
    return np.asarray(np.linalg.norm(across, axis=1) / norm[flowed])


def undershoot(trace: Trace) -> float:
    """1 − (elastic strain at the end)/yield."""
    return 1 - float(elastic_norm(trace)[-1]) / trace.setting("plastic_yield")


def relaxes(trace: Trace) -> bool:
    """Relaxed below the yield."""
    return bool(elastic_norm(trace)[-1] <= trace.setting("plastic_yield"))


def rate_error(trace: Trace) -> float:
    """Relative error of the rate of decay in the first step, −ln(e₁/e₀)/Δt against c."""
    elastic = elastic_norm(trace)
    return abs(-math.log(elastic[1] / elastic[0]) / printed_share(trace) - 1)


def leaves_strain(trace: Trace) -> bool:
    """Elastic strain left by the first step."""
    return bool(elastic_norm(trace)[1] > 0)


PRINTED, EXPONENTIAL = (rows(n, says=f"runs with the {n} rate") for n in ("printed", "exponential"))
RETURN = rows("radial_return").where(is_free)

printed_recursion_error = M.largest("printed_recursion_error", printed_error, PRINTED.where(in_range))
exponential_recursion_error = M.largest("exponential_recursion_error", exponential_error, EXPONENTIAL)
M.largest(
    "absorbed_residual",
    quantity("elastic strain after one step / the imposed strain")(lambda c: elastic_norm(c)[1] / held(c)),
    PRINTED.where(absorbs_at_once, is_free).noted(lambda _: ""),
)
cap_excess = M.largest("cap_excess", beyond_cap, EVERY_RUN.noted(lambda _: ""))
M.largest("direction_error", sine, EVERY_RUN.where(in_range).noted(lambda _: ""))
printed_undershoot = M.largest("printed_undershoot", undershoot, PRINTED.where(in_range, is_free).having(relaxes))
M.largest(
    "printed_rate_error",
    rate_error,
    PRINTED.where(lambda c: printed_share(c) < 1 - 1e-9, is_free, says="cΔt < 1, plastic strain below its cap").having(
        leaves_strain, says=""
    ),
)
M.largest("exponential_rate_error", rate_error, EXPONENTIAL.where(is_free).having(leaves_strain, says=""))
over_relaxed_growth = M.largest(
    "over_relaxed_growth",
    quantity("elastic strain / the imposed strain")(lambda c: elastic_norm(c) / held(c)),
    PRINTED.where(lambda c: printed_share(c) > 2, says="cΔt > 2"),
)


@M("printed_order")
def printed_order(data: ExperimentData) -> Measured:
    """Convergence order in Δt of the uncapped elastic strain by the printed rate to ε₀ exp(−ct), two smallest
    time steps, c = 10/s, t = 0.1 s."""
    cells = sorted(PRINTED.where(is_free, plastic_creep_per_s=10.0, strain_kind="uniaxial").runs(data), key=time_step)
    if len(cells) < 2:
        raise MissingData(f"{M.experiment} at tier {data.tier}: one time step only where two are needed")
    time = 0.1
    errors = [
        abs(float(elastic_norm(c)[round(time / time_step(c))]) - held(c) * math.exp(-10.0 * time)) for c in cells[:2]
    ]
    order = math.log(errors[1] / errors[0]) / math.log(time_step(cells[1]) / time_step(cells[0]))
    return Measured(order, f"Δt = {time_step(cells[0]):g} and {time_step(cells[1]):g} s")


@M("capped_share")
def capped_share(data: ExperimentData) -> float:
    """Share of the rows in which the plastic strain is at its cap to 1e-12, runs with a cap below the imposed
    strain."""
    cells = EVERY_RUN.where(is_capped).runs(data)
    at_cap = [np.linalg.norm(plastic_strain(c), axis=1) >= c.setting("plastic_max") * (1 - 1e-12) for c in cells]
    return float(np.mean(np.concatenate(at_cap)))


@M("return_undershoot")
def return_undershoot(data: ExperimentData) -> Measured:
    """1 − (elastic strain at the end)/yield, the value of largest magnitude, radial return, plastic strain below its
    cap."""
    under = {c: undershoot(c) for c in RETURN.runs(data)}
    worst = extremes.at_largest({c: abs(v) for c, v in under.items()})
    return Measured(under[worst], worst.label)
