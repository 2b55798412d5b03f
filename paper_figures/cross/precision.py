# SPDX-License-Identifier: BSD-3-Clause
"""Shared by figures of error against effort: a curve against step and against time, and its
axes."""

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes

UNTIMED = "not timed: deformbench time"


def timed_curve(axes: Axes, costs: Sequence[float | None], errors: Sequence[float], look: dict[str, Any]) -> None:
    """Errors against the costs of timed cells."""
    timed = [(cost, error) for cost, error in zip(costs, errors) if cost is not None]
    if timed:
        axes.plot([t for t, _ in timed], [e for _, e in timed], **look)


def effort_axes(axes: Sequence[Axes], error: str, effort: tuple[str, str], cost: tuple[str, str], place: str) -> None:
    """Labels two panels, errors against effort and against cost, each as (x label, title)."""
    for axis in axes:
        axis.set(xscale="log", yscale="log", ylabel=error)
    axes[0].set(xlabel=effort[0], title=effort[1])
    axes[1].set(xlabel=cost[0], title=cost[1])
    axes[0].legend(loc=place, fontsize=8)
    if not axes[1].lines:
        axes[1].text(0.5, 0.5, UNTIMED, transform=axes[1].transAxes, ha="center", fontsize=9)
