# SPDX-License-Identifier: BSD-3-Clause
"""Figure 3: total, plastic and elastic force of an element after creep, and their history."""

import numpy as np

from deformbench_analysis.mesh import deformation_gradients
from paper_figures.figure import Drawing, Trace, style, titled
from paper_figures.mueller_gross_2004 import one_element as one
from paper_figures.solids import View, arrow, plain, tetrahedron

ORIGINAL, PLASTIC, DEFORMED = style.GREY, "#009E73", "#0072B2"
TOTAL, ELASTIC = "#000000", "#D55E00"
LONGEST = 0.6  # force arrow / size of the element


def chosen(trace: Trace, row: int) -> int:
    """The element whose plastic and elastic strain differ most in direction, weighted by both:
    all three forces must show."""
    rotations = trace.values("frame", "rotations")[row].reshape(-1, 3, 3)
    gradients = deformation_gradients(
        trace.scene("rest_positions"), trace.scene("tetrahedra"), trace.values("frame", "positions")[row]
    )
    turned = np.swapaxes(rotations, 1, 2) @ gradients
    plastic = one.tensors(trace.values("frame", "element_plastic_strains")[row])
    elastic = 0.5 * (turned + np.swapaxes(turned, 1, 2)) - np.eye(3) - plastic
    dot = np.einsum("mij,mij->m", plastic, elastic)
    return int(np.argmax((plastic**2).sum(axis=(1, 2)) * (elastic**2).sum(axis=(1, 2)) - dot**2))


@titled("Figure 3 — total, plastic and elastic force")
def make(figure: Drawing) -> str:
    data = figure.experiment(one.EXPERIMENT)
    trace = data.one(name="creeping")
    steps = trace.values("frame", "step")
    row = len(steps) - 1
    element = one.element_at(trace, row, chosen(trace, row))
    total, plastic = element.total, element.plastic
    elastic = total - plastic
    size = float(np.linalg.norm(np.ptp(element.rest, axis=0)))
    scale = LONGEST * size / float(np.linalg.norm(total, axis=1).max())
    # View normal to the plane of most of the forces.
    across = np.linalg.svd(np.concatenate([total, plastic, elastic]))[2][2]
    view = View.towards(across * (1 if across[2] >= 0 else -1) + np.array([0.0, 0.15, 0.0]))
    axes = figure.axes(1, 3, 12.4, 4.3)
    for panel, title in zip(axes[:2], ("(a) three states of the element", "(b) forces on its corners")):
        panel.set_title(title)
        plain(panel)
    tetrahedron(axes[0], view, element.rest, ORIGINAL, fill=0.05)
    tetrahedron(axes[0], view, element.plastic_rest, PLASTIC, fill=0.08, dashed=True)
    tetrahedron(axes[0], view, element.unrotated, DEFORMED, fill=0.14)
    for rest, flowed, now in zip(element.rest, element.plastic_rest, element.unrotated):
        arrow(axes[0], view, rest, flowed, PLASTIC, width=1.4)
        arrow(axes[0], view, flowed, now, ELASTIC, width=1.4)
    tetrahedron(axes[1], view, element.unrotated, DEFORMED, fill=0.10, width=1.0)
    for now, t, p in zip(element.unrotated, total, plastic):
        arrow(axes[1], view, now, now + scale * p, PLASTIC)
        arrow(axes[1], view, now + scale * p, now + scale * t, ELASTIC)
        arrow(axes[1], view, now, now + scale * t, TOTAL, width=1.3)
    for panel, sets in (
        (axes[0], (element.rest, element.plastic_rest, element.unrotated)),
        (axes[1], (element.unrotated, element.unrotated + scale * total, element.unrotated + scale * plastic)),
    ):
        flat = np.concatenate([view.flat(p) for p in sets])
        low, high = flat.min(axis=0) - 0.10 * size, flat.max(axis=0) + 0.05 * size
        panel.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
        length, text, colour = (0.05, "5 cm", style.INK) if panel is axes[0] else (0.0, "", TOTAL)
        if panel is axes[1]:
            newton = float(f"{0.5 * np.linalg.norm(total, axis=1).max():.1g}")
            length, text = newton * scale, f"{newton:g} N"
        panel.plot([low[0], low[0] + length], [low[1]] * 2, color=colour, lw=2, clip_on=False)
        style.note(panel, text, (low[0], low[1]), (0, 4), size=8.5, color=colour)
    handles = [
        style.key("original state x₀", ORIGINAL),
        style.key("plastic rest state (1 + ε_plastic)x₀", PLASTIC, ls="--"),
        style.key("deformed state R⁻¹x", DEFORMED),
    ]
    axes[0].legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, -0.01), fontsize=8, ncol=1)
    handles = [
        style.key("f_total = K(R⁻¹x − x₀)", TOTAL),
        style.key("f_plastic = P ε_plastic", PLASTIC),
        style.key("f_elastic = f_total − f_plastic", ELASTIC),
    ]
    axes[1].legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, -0.01), fontsize=8, ncol=1)
    table = figure.table("step; time [s]; corner; force; x [N] .5g; y [N] .5g; z [N] .5g")
    times = trace.series("frame", "positions").time
    courses: dict[str, list[float]] = {"total": [], "plastic": [], "elastic": []}
    for k in range(len(steps)):
        then = one.element_at(trace, k, element.index)
        parts = {"total": then.total, "plastic": then.plastic, "elastic": then.total - then.plastic}
        for name, forces in parts.items():
            courses[name].append(float(np.linalg.norm(forces)))
            for corner, force in enumerate(forces):
                table.add(int(steps[k]), times[k], corner, name, *map(float, force))
    for (name, values), colour, marker in zip(courses.items(), (TOTAL, PLASTIC, ELASTIC), "osD"):
        axes[2].plot(times, values, color=colour, marker=marker, ms=3.5, label=f"f_{name}")
    style.panel(
        axes[2], "(c) their growth", "time [s]", "√Σ|f|² over the four corners [N]", ylim=(0, None), xlim=(0, None)
    )
    axes[2].legend(fontsize=8)
    worst = max(one.force_difference(trace, k) for k in range(1, len(steps)))
    norm = {n: float(np.linalg.norm(f)) for n, f in (("total", total), ("plastic", plastic), ("elastic", elastic))}
    p = {n: trace.value(f"method.parameters.plastic_{n}") for n in ("yield", "creep_per_s", "max")}
    return (
        "The paper shows: original, plastic rest and deformed state of a tetrahedron, and f_elastic = f_total − "
        f"f_plastic, in a sketch with unit stiffness. Measured here: element {element.index} of a "
        f"bar of {trace.tetrahedra} that droops under its weight, is pulled sideways more and more, and creeps "
        f"(yield {p['yield']:g}, creep {p['creep_per_s']:g}/s, cap {p['max']:g}, as printed), step "
        f"{int(steps[row])}, to scale in its unrotated frame; its stiffness is its own, so that forces and "
        "displacements point in different directions. In (a) arrows lead from the original to the plastic rest "
        "state and on to the deformed state; in (b) f_plastic and f_elastic add up to f_total. Over the four "
        f"corners |f_total| = {norm['total']:.3g} N, |f_plastic| = {norm['plastic']:.3g} N, |f_elastic| = "
        f"{norm['elastic']:.3g} N. The forces are computed by the analysis from positions and plastic strains of the "
        f"trace; f_elastic, turned by R and summed over all elements, equals the method's force to {worst:.1e} in "
        "every stored frame. "
    )
