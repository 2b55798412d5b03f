# SPDX-License-Identifier: BSD-3-Clause
"""Figure 2: projection of a distance constraint; the corrections are weighted by the inverse masses."""

import math

import numpy as np

from paper_figures.figure import Array, Axes, Drawing, style, titled
from paper_figures.mueller_et_al_2007.projection import AFTER, BEFORE, EXPERIMENT, MOVE, PLACES, Projection, checked
from paper_figures.mueller_et_al_2007.projection import nearest, projections

RATIO = 3.0  # m2 / m1; the nearest pairs are drawn


def _from_ratio(p: Projection) -> float:
    return abs(math.log(float(p.inverse_masses[0] / p.inverse_masses[1]) / RATIO))


def on_line(p: Projection) -> tuple[Array, Array]:
    """Coordinates (m) of both vertices before and after along their line, from the centre of mass before."""
    direction = (p.before[1] - p.before[0]) / np.linalg.norm(p.before[1] - p.before[0])
    centre = (p.before / p.inverse_masses[:, None]).sum(axis=0) / (1 / p.inverse_masses).sum()
    return (p.before - centre) @ direction, (p.after - centre) @ direction


def _draw(axes: Axes, p: Projection, title: str) -> None:
    old, new = on_line(p)
    unit = p.rest
    heaviest = float((1 / p.inverse_masses).max())
    sizes = [9 + 13 * float(np.sqrt(1 / w / heaviest)) for w in p.inverse_masses]
    axes.plot(old, [0, 0], color=BEFORE, lw=1.0, ls=(0, (4, 2)), zorder=1)
    axes.plot(new, [0, 0], color=AFTER, lw=2.2, zorder=2)
    for k in range(2):
        axes.plot(old[k], 0, "o", ms=sizes[k], mfc="#ffffff", markeredgecolor=BEFORE, zorder=3)
        axes.plot(new[k], 0, "o", ms=sizes[k], color=AFTER, zorder=4)
        style.arrow(axes, (old[k], 0.24 * unit), (new[k], 0.24 * unit), MOVE, 1.8)
        moved = f"Δp{'₁₂'[k]} = {1e3 * abs(new[k] - old[k]):.1f} mm"
        style.note(axes, moved, ((old[k] + new[k]) / 2, 0.29 * unit), (0, 0), "cb", color=MOVE, size=8.5)
        outside = old[k] if abs(old[k]) > abs(new[k]) else new[k]
        mass = f"p{'₁₂'[k]}\n{1 / p.inverse_masses[k]:.2f} kg"
        style.note(axes, mass, (outside + (-0.16, 0.16)[k] * unit, 0), (0, 0), ("rc", "lc")[k], size=8.5)
    axes.plot([0], [0], marker="+", color="#1c1c1c", ms=9, mew=1.4, zorder=6)
    style.arrow(axes, (new[1], -0.26 * unit), (new[0], -0.26 * unit), AFTER, 1.0, "<->")
    distance = f"d = {1e3 * p.rest:.1f} mm"
    axes.text(new.mean(), -0.30 * unit, distance, ha="center", va="top", color=AFTER, fontsize=8.5)
    axes.set_title(title)
    axes.set_aspect("equal")
    axes.set(
        xlim=(min(old.min(), new.min()) - 0.6 * unit, max(old.max(), new.max()) + 0.6 * unit),
        ylim=(-0.5 * unit, 0.5 * unit),
    )
    axes.axis("off")


@titled("Figure 2 — projection of a distance constraint")
def make(figure: Drawing) -> str:
    figure.experiment(EXPERIMENT)
    found = projections(figure.results, "distance")
    pairs = [
        ("(a) too long", nearest(found, lambda p: p.value(p.before) > 0, _from_ratio)),
        ("(b) too short", nearest(found, lambda p: p.value(p.before) < 0, _from_ratio)),
    ]
    axes = figure.axes(2, 1, 7.4, 4.2)
    values = "correction [m] .6g; C before [m] .6g; C after [m] .3g"
    table = figure.table("pair; vertex; mass [kg] .6g", PLACES, values)
    for axis, (title, p) in zip(axes, pairs):
        _draw(axis, p, title)
        for k in range(2):
            numbers = (np.linalg.norm(p.corrections[k]), p.value(p.before), p.value(p.after))
            table.add(title, k + 1, 1 / p.inverse_masses[k], *p.before[k], *p.after[k], *numbers)
    left = max(abs(p.value(p.after)) for p in found)
    return (
        "The paper shows: two vertices before and after the projection of C = |p₁ − p₂| − d, with corrections in "
        f"proportion to the inverse masses (eqs. 9, 10). Measured here: two of {len(found)} pairs of one run, those "
        f"with m₂/m₁ nearest to {RATIO:g}, one stretched and one pressed by "
        f"{100 * abs(pairs[0][1].value(pairs[0][1].before) / pairs[0][1].rest):.0f} % and "
        f"{100 * abs(pairs[1][1].value(pairs[1][1].before) / pairs[1][1].rest):.0f} %; dashed before, solid after "
        f"one iteration with k = 1, areas of the discs by mass, + the centre of mass. {checked(found)}; |C| is at "
        f"most {left:.1e} m after."
    )
