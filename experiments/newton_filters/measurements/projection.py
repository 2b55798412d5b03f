# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of newton_filters/projection: the closed form of the filtered Hessian beside LAPACK's eigenvalues."""

from collections.abc import Callable

import numpy as np

from deformbench_analysis.reference_laws import Law
from deformbench_analysis.reference_minimum import ReferenceMinimum
from deformbench_analysis.vocabulary import Array, Measures, Trace, rows

M = Measures("newton_filters/projection")
LAW = "method.parameters.law"
SHARES = {"projected": 0.0, "absolute": -1.0}  # of a negative eigenvalue


def filtered(law: Law, share: float) -> Law:
    """The law with every negative eigenvalue of ∂P/∂F multiplied by `share`."""

    def found(f: Array, lam: Array, mu: Array) -> tuple[Array, Array, Callable[[], Array]]:
        energy, stress, tangent = law(f, lam, mu)

        def projected() -> Array:
            values, axes = np.linalg.eigh(tangent())
            kept = np.where(values < 0, share * values, values)
            return np.asarray(axes * kept[:, None, :] @ np.swapaxes(axes, 1, 2))

        return energy, stress, projected

    return found


def difference(trace: Trace, share: float) -> float:
    """Largest difference of an entry of the step's matrix from that of the reference, relative to the largest."""
    step = ReferenceMinimum(trace)
    step.law = filtered(step.law, share)
    expected = trace.number("time_step_s") ** 2 * step.hessian(step.start).toarray()
    solved = trace.values("step", "solved_matrix")[-1]
    return float(np.abs(solved - expected).max() / np.abs(expected).max())


def error(trace: Trace) -> float:
    """Error of the step's matrix against eigenvalues by LAPACK, relative to its largest entry."""
    return difference(trace, SHARES[str(trace.value("method.parameters.hessian"))])


def effect(trace: Trace) -> float:
    """Difference of the step's matrix from the unfiltered one."""
    return difference(trace, 1.0)


def least_eigenvalue(trace: Trace) -> float:
    """Least eigenvalue of the step's matrix without inertia, relative to the largest."""
    stiffness = trace.values("step", "solved_matrix")[-1] - np.diag(np.repeat(trace.scene("masses"), 3))
    values = np.linalg.eigvalsh(stiffness)
    return float(values[0] / values[-1]) if values.any() else 0.0  # zero where all values are negative


DOUBLE, SINGLE = (
    rows(says=f"all laws and states, {word} precision").where({"method.parameters.hessian_precision": word}, says="")
    for word in ("double", "single")
)
M.largest("double_error", error, DOUBLE)
M.largest("single_error", error, SINGLE)
M.least("least_eigenvalue", least_eigenvalue, DOUBLE)


def is_strained(trace: Trace) -> bool:
    """Mirrored states of laws that contain det F."""
    return str(trace.value("scene.parameters.start")) == "mirrored" and "neo" in str(trace.value(LAW))


M.least("effect", effect, DOUBLE.where(is_strained))
