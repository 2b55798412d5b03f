# SPDX-License-Identifier: BSD-3-Clause
"""Shares of cells that a solver solves, with pointwise 95 % bootstrap bands over cells. They illustrate; verdicts come
from paired_ratios.py. A cell's cost is what the solver needs to reach the tolerance, inf if it does not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .arrays import Array
from .errors import MissingData

_RESAMPLES, _SEED = 2000, 1


@dataclass(frozen=True)
class Profile:
    """Share of the cells at each abscissa, with its band."""

    at: Array
    share: Array
    low: Array
    high: Array


def _profile(costs: Array, at: Array) -> Profile:
    solved = np.isfinite(costs) & (costs <= at[:, None])  # [abscissa, cell]
    random, count = np.random.Generator(np.random.PCG64(_SEED)), len(costs)
    drawn = random.multinomial(count, np.full(count, 1 / count), size=_RESAMPLES)  # how often each cell
    low, high = np.quantile(solved @ drawn.T / count, [0.025, 0.975], axis=1)
    return Profile(at, solved.mean(axis=1), low, high)


def _checked(*costs: Sequence[float]) -> list[Array]:
    arrays = [np.asarray(side, dtype=float) for side in costs]
    if not all(len(a) == len(arrays[0]) > 0 and np.all(a > 0) for a in arrays):
        raise MissingData("a profile needs positive costs, or inf, of one or more cells, as many of each solver")
    return arrays


def performance(first: Sequence[float], second: Sequence[float], factors: Sequence[float]) -> tuple[Profile, Profile]:
    """Dolan and Moré's profiles of two solvers on the same cells: share of cells whose cost is at most t times the
    lower of the two. Of two alone, as a third can change their order. A cell that both fail is unsolved."""
    a, b = _checked(first, second)
    least = np.minimum(a, b)
    one, two = (np.divide(x, least, out=np.full_like(x, np.inf), where=np.isfinite(x)) for x in (a, b))
    return _profile(one, np.asarray(factors, dtype=float)), _profile(two, np.asarray(factors, dtype=float))


def data(costs: Mapping[str, Sequence[float]], budgets: Sequence[float]) -> dict[str, Profile]:
    """Moré and Wild's data profiles: share of cells solved within a budget, per solver, on the same cells."""
    checked = dict(zip(costs, _checked(*costs.values())))
    return {name: _profile(of_solver, np.asarray(budgets, dtype=float)) for name, of_solver in checked.items()}
