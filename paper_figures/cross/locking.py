# SPDX-License-Identifier: BSD-3-Clause
"""The bending stiffness of a cantilever of linear and quadratic tetrahedra towards ν = ½, by law and mesh."""

import numpy as np

from experiments.cross.measurements import locking as m
from experiments.cross.measurements.elastica import cells_across, tip
from paper_figures.figure import Drawing, ExperimentData, MissingData, style, titled

SIZES = {"warped": 10, "linear": 7}


def _words(data: ExperimentData) -> str:
    """Stiffening and spread; "" if data are missing."""
    try:
        laws, linear, spread = m.stiffening(data), m.linear_stiffening(data), m.law_spread(data)
    except MissingData:
        return ""
    return (
        "On one mesh and at one ν the rows of nonlinear laws and warped elements differ by at most "
        f"{spread.value:.1%}: no law helps, the elements lock. From ν = 0.3 the stiffness grows by {laws.value:.0%} "
        f"({laws.note}) and by {linear.value:.1%} with linear FEM ({linear.note}). "
    )


def _words_of_quadratic(data: ExperimentData) -> str:
    """Stiffening of quadratic elements; "" if data are missing."""
    try:
        found = m.quadratic_stiffening(data)
    except MissingData:
        return ""
    return (
        "10-node tetrahedra, with the vertices of linear ones of half the size, stiffen by "
        f"{found.value:.1%} ({found.note}). "
    )


@titled("Locking — a bent bar towards ν = ½")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment)
    cells = data.some()
    axes = figure.axes(1, 1, 7.4, 4.2)
    table = figure.table("row; Poisson's ratio; cells across; tip drop / length .6g; stiffness / EI .6g")
    ratios = sorted({m.poisson(c) for c in cells})
    place = {nu: k for k, nu in enumerate(ratios)}
    for name in ("linear", *m.NONLINEAR, "quadratic"):
        look = style.method_style(name)
        rows = sorted((c for c in cells if c.method_name == name), key=lambda c: (cells_across(c), m.poisson(c)))
        for c in rows:
            table.add(name, m.poisson(c), cells_across(c), tip(c)[0], m.stiffness(c))
        for k, n in enumerate(sorted({cells_across(c) for c in rows})):
            chosen = [c for c in rows if cells_across(c) == n]
            hollow = name in SIZES
            line = {"color": look.colour, "ls": look.line, "lw": 1.0, "label": look.label if k == 0 else None}
            mark = {"marker": look.marker, "ms": SIZES.get(name, 5), "mfc": "none" if hollow else look.colour}
            axes.plot([place[m.poisson(c)] for c in chosen], [m.stiffness(c) for c in chosen], **line, **mark)
            if name in ("linear", "quadratic"):
                style.note(axes, f"{n} across", (len(ratios) - 1, m.stiffness(chosen[-1])), (12, 0), "lc", size=8)
    axes.axhline(1, color=style.REFERENCE, ls="--", lw=1)
    axes.set_xticks(np.arange(len(ratios)), [f"{nu:g}" for nu in ratios])
    style.panel(
        axes, "", "Poisson's ratio (not to scale)", "bending stiffness / E I [1]", xlim=(-0.3, len(ratios) - 0.4)
    )
    figure.legend_below(3, axes)
    return (
        "A cantilever ten times as long as wide under a dead tip load of PL²/EI = 2, static; cubes split into five. "
        "The stiffness is the load over that at which the elastica (linear FEM: PL³/3EI) has the tip's drop; a "
        f"beam's is 1 (dashed) at any ν, except about 1 % (shear, clamp). {_words(data)}{_words_of_quadratic(data)}"
    )
