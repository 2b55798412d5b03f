# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/condition_number and condition_number_sizes
([MG04] §2.3: at most 25 per cent)."""

import numpy as np

from deformbench_analysis.vocabulary import EVERY_RUN, Array, Measures, MissingData, Trace, quantity, rows

M = Measures("mueller_gross_2004/condition_number")
SIZES = Measures("mueller_gross_2004/condition_number_sizes")
SMOOTH_FIELDS = ("bend", "twist")
REGIME = 4.0  # Δt²E/(ρh²) of the paper's Δt = 0.01 s and E = 10⁵ Pa on cells of 5 cm
BOUNDED = 1.0  # Δt²E/(ρh²) up to which the bound on the condition number of these meshes is below 1000 at any pose


def stiffness_number(trace: Trace) -> float:
    """Δt²E/(ρh²), h the edge of a cell."""
    p = trace.value("scene.parameters")
    cell = float(p["side_m"]) / int(p["cells_across"])
    return float(p["time_step_s"]) ** 2 * float(p["young_modulus_pa"]) / (float(p["density_kg_m3"]) * cell**2)


def require_converged(trace: Trace) -> None:
    """MissingData where an eigenvalue did not converge."""
    if not np.all(trace.values("operator", "operator_converged") == 1):
        raise trace.missing("an eigenvalue did not converge")


def change_since_start(trace: Trace, last_step: int | None = None) -> dict[str, float]:
    """|condition number of the step's matrix / that at the start − 1|."""
    require_converged(trace)
    series = trace.series("operator", "condition_number")
    counted = series.step <= (series.step[-1] if last_step is None else last_step)
    change = series.values[counted] / series.values[0] - 1
    index = int(np.abs(change).argmax())
    where = f"{100 * change[index]:+.2g} % of {series.values[0]:.4g} in {trace.label} at {series.time[index]:g} s"
    return {where: abs(float(change[index]))}


def is_smooth(trace: Trace) -> bool:
    """Bent and twisted poses."""
    return trace.value("schedule.poses.field") in SMOOTH_FIELDS


def poses(trace: Trace) -> tuple[Array, Array]:
    """(pose value, condition number), all eigenvalues converged."""
    require_converged(trace)
    return trace.values("operator", "pose_parameter"), trace.values("operator", "condition_number")


def rest_condition(trace: Trace) -> float:
    """Condition number of the rest pose, with which smooth fields begin."""
    value, condition = poses(trace)
    if value[0] != 0:
        raise trace.missing("the first pose is not the rest pose")
    return float(condition[0])


def changes(trace: Trace) -> Array:
    """cond / cond at rest − 1 of every pose of a smooth field."""
    return np.asarray(poses(trace)[1] / rest_condition(trace) - 1)


def in_regime(trace: Trace) -> bool:
    """Δt²E/(ρh²) ≤ 4."""
    return stiffness_number(trace) <= REGIME * (1 + 1e-9)


def is_bounded(trace: Trace) -> bool:
    """Δt²E/(ρh²) ≤ 1."""
    return stiffness_number(trace) <= BOUNDED * (1 + 1e-9)


def change_from_rest(trace: Trace) -> dict[str, float]:
    """|condition number of the step's matrix / that at rest − 1|."""
    change = changes(trace)
    index = int(np.abs(change).argmax())
    where = f"{100 * change[index]:+.0f} % in {trace.label} at {poses(trace)[0][index]:g}"
    return {where: abs(float(change[index]))}


def with_number(trace: Trace) -> str:
    """For a note: the run, and how far stiffness outweighs mass."""
    return f"{trace.label}, Δt²E/(ρh²) {stiffness_number(trace):.3g}"


CONDITION = quantity("condition number of the step's matrix")(lambda c: poses(c)[1])
BOUND = "upper bound (m_max + Δt² Λ)/m_min that holds in every pose"
BOUND_RATIO = quantity(f"condition number of the step's matrix / its {BOUND}")(
    lambda c: c.values("operator", "condition_number") / c.values("operator", "condition_bound")
)
GROWTH = quantity("condition number of the step's matrix / that at rest")(
    lambda c, rest: poses(c)[1].max() / rest_condition(rest)
)
UNNAMED = EVERY_RUN.noted(lambda _: "")
SMOOTH = rows(says="bent and twisted poses, all time steps").where(is_smooth, says="")
SETTING = ("split", "time_step_s")  # what cells of different pose fields share
BENT, TWISTED = (rows().where({"schedule.poses.field": n}) for n in SMOOTH_FIELDS)

M.largest("bound_ratio_max", BOUND_RATIO, UNNAMED)
change_max = M.largest("change_max", change_from_rest, SMOOTH)
change_in_regime = M.largest("change_in_regime", change_from_rest, SMOOTH.where(in_regime))
growth_max = M.largest(
    "growth_max", GROWTH, rows(says="bent, twisted and random poses").beside(TWISTED, *SETTING, says="")
)
M.largest("growth_smooth_max", GROWTH, SMOOTH.beside(TWISTED, *SETTING, says=""))
M.largest("bounded_max", CONDITION, EVERY_RUN.where(is_bounded).noted(with_number))
M.largest(
    "bounded_bound_max", quantity(BOUND)(lambda c: c.values("operator", "condition_bound")), UNNAMED.where(is_bounded)
)
M.largest("paper_setting_max", CONDITION, UNNAMED.where(time_step_s=0.01, says="Δt = 0.01 s, E = 10⁵ Pa"))
M.largest("all_settings_max", CONDITION, UNNAMED)
M.largest(
    "change_random_poses_in_regime",
    quantity("|condition number of the step's matrix / that at rest − 1|")(
        lambda c, rest: np.abs(poses(c)[1] / rest_condition(rest) - 1)
    ),
    rows(says="random poses")
    .where(lambda c: not is_smooth(c), says="")
    .where(in_regime)
    .beside(BENT, *SETTING, says="")
    .noted(lambda *_: ""),
)

SIZES.largest(
    "growth_max", quantity("condition number of the step's matrix / that at rest")(lambda c: changes(c).max() + 1)
)
SIZES.largest("bounded_max", CONDITION, EVERY_RUN.where(is_bounded).noted(with_number))
SIZES.largest("bound_ratio_max", BOUND_RATIO, UNNAMED)
SIZES.largest("largest_condition_number", CONDITION, EVERY_RUN.noted(with_number))
